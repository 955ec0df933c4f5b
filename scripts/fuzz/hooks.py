"""Sends most requests further than the front door, where a partner that nobody has is refused."""

import os
import uuid

import schemathesis

PARTNER = "X-User-Partner-ID"


def is_uuid(value):
    try:
        return str(uuid.UUID(value)) == value.lower()
    except (AttributeError, TypeError, ValueError):
        return False


@schemathesis.hook
def before_call(context, case, kwargs):
    # What is no UUID was drawn to be refused, and stays.
    drawn = (case.headers or {}).get(PARTNER)
    if not is_uuid(drawn):
        return
    if uuid.UUID(drawn).int % 2 == 0 or "/partner" in case.path:
        case.headers[PARTNER] = os.environ["PARTNER_ID"]
    else:
        del case.headers[PARTNER]
