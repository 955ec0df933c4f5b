// Builds the kustomizations that it is given, offline, and decodes each document strictly with the types of Kubernetes' own
// API: an unknown field, a doubled one, or a value of another type ends it with exit code 1 and the errors, by document.
// Prints a JSON object: by folder, the documents as the API server would store them.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	scheduling "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// Kinds of operators, which have no types here: they are decoded by no schema and checked by the test that reads the output.
var custom = map[string]bool{"monitoring.coreos.com/v1 PodMonitor": true}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		apps.AddToScheme, autoscaling.AddToScheme, batch.AddToScheme, core.AddToScheme,
		networking.AddToScheme, policy.AddToScheme, scheduling.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	built := map[string][]any{}
	failed := false
	for _, folder := range os.Args[1:] {
		options := krusty.MakeDefaultOptions()
		resources, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), folder)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", folder, err)
			failed = true
			continue
		}
		for _, resource := range resources.Resources() {
			kind := resource.GetApiVersion() + " " + resource.GetKind()
			text, err := resource.AsYAML()
			if err != nil {
				panic(err)
			}
			var document any
			if custom[kind] {
				err = yaml.UnmarshalStrict(text, &document)
			} else {
				document, _, err = decoder.Decode(text, nil, nil)
			}
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s: %s %s: %v\n", folder, kind, resource.GetName(), err)
				failed = true
				continue
			}
			built[folder] = append(built[folder], document)
		}
	}
	if failed {
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(built); err != nil {
		panic(err)
	}
}
