#!/usr/bin/env python3
"""A code generator for Partita in one file: float32 add, subtract, multiply and nn.relu of one shape, as one C loop.

It reads a region as JSON (resources/partita-region.schema.json) and writes C source of a library with the interface of
partita_plugin.h. A description that uses it:

    {"name": "mine", "ops": {"add": true, "multiply": true, "nn.relu": true},
     "codegen": "command:python3 /path/to/elementwise_codegen.py"}
"""
import json
import sys

FORMULAS = {"add": "{0} + {1}", "subtract": "{0} - {1}", "multiply": "{0} * {1}", "nn.relu": "{0} > 0 ? {0} : 0"}

LIBRARY = """#include "partita_plugin.h"
#include <stddef.h>
#include <stdlib.h>

/* The values of constants stay where they are until release; what else compile is given does not. */
struct partita_region {{ const float *constants[{constant_room}]; }};

static partita_region *compile(const partita_function *function, char *message, size_t message_size)
{{
    partita_region *region = malloc(sizeof *region);
    (void)function; (void)message; (void)message_size;
    if (!region) return NULL;
{keep_constants}
    return region;
}}

static int32_t run(partita_region *region, const partita_tensor *inputs, const partita_tensor *outputs, char *message,
                   size_t message_size)
{{
    (void)region; (void)message; (void)message_size;
{pointers}
    for (size_t i = 0; i < {elements}; ++i) {{
{steps}
    }}
    return 0;
}}

static void release(partita_region *region) {{ free(region); }}

const partita_plugin *partita_plugin_entry(void)
{{
    static const partita_plugin plugin = {{PARTITA_PLUGIN_VERSION, "elementwise loop", NULL, compile, run, release}};
    return &plugin;
}}
"""


def refuse(reason):
    """What a generator writes to standard error stands in the notice of the region."""
    sys.exit(reason)


def main():
    region = json.load(sys.stdin)
    values = region["values"]
    shape = values[0]["shape"]
    if any(value["shape"] != shape or value["dtype"] != "float32" for value in values):
        refuse("all values must be float32 and of one shape")
    elements = 1
    for extent in shape:
        elements *= extent

    pointers, keep, names = [], [], {}
    for place, value in enumerate(region["inputs"]):
        pointers.append(f"    const float *in{place} = inputs[{place}].data;")
        names[value] = f"in{place}[i]"
    for value, info in enumerate(values):
        if info["constant"]:
            keep.append(f"    region->constants[{len(keep)}] = function->values[{value}].data;")
            pointers.append(f"    const float *constant{value} = region->constants[{len(keep) - 1}];")
            names[value] = f"constant{value}[i]"
    steps = []
    for step in region["steps"]:
        if step["op"] not in FORMULAS:
            refuse(f"{step['op']} is not among {', '.join(FORMULAS)}")
        result = step["outputs"][0]
        formula = FORMULAS[step["op"]].format(*(names[value] for value in step["inputs"]))
        steps.append(f"        const float v{result} = {formula};")
        names[result] = f"v{result}"
    for place, value in enumerate(region["outputs"]):
        pointers.append(f"    float *out{place} = outputs[{place}].data;")
        steps.append(f"        out{place}[i] = {names[value]};")
    sys.stdout.write(LIBRARY.format(constant_room=max(len(keep), 1), keep_constants="\n".join(keep),
                                    pointers="\n".join(pointers), elements=elements, steps="\n".join(steps)))


main()
