#!/usr/bin/env bash
# Installs an overlay, or brings a running exchange to what it says, role by role in the order that upgrades demand: actors
# read what is new before anybody writes it; edges come before management, and management before the scheduler
# (docs/reliability.md). A role is next when the one before it is whole. Stops at the first that does not become so.
#
#   deploy/kubernetes/upgrade.sh deploy/kubernetes/overlays/single-region        ROLLOUT_TIMEOUT=30m KUBECTL="kubectl --context=fra"
set -euo pipefail
overlay=${1:?Usage: upgrade.sh <folder of an overlay>}
read -ra kubectl <<<"${KUBECTL:-kubectl}"
namespace=${NAMESPACE:-exchange}
roles=(deployment/actors statefulset/edge deployment/management deployment/scheduler)

apply() { "${kubectl[@]}" apply -k "$overlay" -l "$1"; }

# Namespace, policies, claims, settings: what the roles need. Running processes keep the settings that they started with.
apply 'app.kubernetes.io/component notin (actors,edge,management,scheduler)'
for role in "${roles[@]}"; do
  apply "app.kubernetes.io/component=${role#*/}"
  if ! "${kubectl[@]}" -n "$namespace" rollout status "$role" --timeout="${ROLLOUT_TIMEOUT:-30m}"; then
    echo "$role is not whole; the roles after it were left as they are." >&2
    exit 1
  fi
done
