/* A complete backend for Partita in one file: add, subtract, multiply and nn.relu of float32 tensors of one shape.
 *
 *     cc -O2 -shared -fPIC -I ENGINE/backends/plugin -o elementwise.so elementwise_plugin.c
 *
 * and a description that uses it:
 *
 *     {"name": "mine", "ops": {"add": true, "multiply": true, "nn.relu": true}, "codegen": "plugin:/path/to/elementwise.so"}
 */
#include "partita_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { ADD, SUBTRACT, MULTIPLY, RELU, UNKNOWN } operation;

typedef struct {
    operation what;
    int32_t left, right, result;
} instruction;

/* A region keeps a buffer for each value and the list of what to compute. */
struct partita_region {
    int64_t elements;
    int32_t value_count, input_count, output_count, step_count;
    int32_t *inputs, *outputs;
    float **values;
    instruction *steps;
};

static operation operation_of(const char *op)
{
    if (strcmp(op, "add") == 0) return ADD;
    if (strcmp(op, "subtract") == 0) return SUBTRACT;
    if (strcmp(op, "multiply") == 0) return MULTIPLY;
    if (strcmp(op, "nn.relu") == 0) return RELU;
    return UNKNOWN;
}

static int64_t element_count(const partita_tensor *tensor)
{
    int64_t count = 1;
    for (int32_t i = 0; i < tensor->rank; ++i) count *= tensor->shape[i];
    return count;
}

static int same_shape(const partita_tensor *a, const partita_tensor *b)
{
    return a->rank == b->rank && memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) == 0;
}

static int32_t can_compile(const partita_function *function, char *message, size_t message_size)
{
    for (int32_t i = 0; i < function->step_count; ++i) {
        if (operation_of(function->steps[i].op) == UNKNOWN) {
            snprintf(message, message_size, "%s is not among add, subtract, multiply, nn.relu", function->steps[i].op);
            return 0;
        }
    }
    for (int32_t i = 0; i < function->value_count; ++i) {
        if (strcmp(function->values[i].dtype, "float32") != 0 || !same_shape(&function->values[i], &function->values[0])) {
            snprintf(message, message_size, "all values must be float32 and of one shape");
            return 0;
        }
    }
    return 1;
}

static void release(partita_region *region)
{
    for (int32_t i = 0; i < region->value_count; ++i) free(region->values[i]);
    free(region->values);
    free(region->inputs);
    free(region->outputs);
    free(region->steps);
    free(region);
}

static partita_region *compile(const partita_function *function, char *message, size_t message_size)
{
    partita_region *region = calloc(1, sizeof *region);
    if (region) {
        region->elements = element_count(&function->values[0]);
        region->value_count = function->value_count;
        region->input_count = function->input_count;
        region->output_count = function->output_count;
        region->step_count = function->step_count;
        region->values = calloc((size_t)function->value_count + 1, sizeof *region->values);
        region->inputs = calloc((size_t)function->input_count + 1, sizeof *region->inputs);
        region->outputs = calloc((size_t)function->output_count + 1, sizeof *region->outputs);
        region->steps = calloc((size_t)function->step_count + 1, sizeof *region->steps);
    }
    if (!region || !region->values || !region->inputs || !region->outputs || !region->steps) {
        snprintf(message, message_size, "out of memory");
        return NULL;
    }
    memcpy(region->inputs, function->inputs, (size_t)function->input_count * sizeof *region->inputs);
    memcpy(region->outputs, function->outputs, (size_t)function->output_count * sizeof *region->outputs);
    for (int32_t i = 0; i < function->value_count; ++i) {
        size_t bytes = (size_t)region->elements * sizeof(float);
        region->values[i] = malloc(bytes ? bytes : 1);
        if (!region->values[i]) {
            release(region);
            snprintf(message, message_size, "out of memory");
            return NULL;
        }
        if (function->values[i].data) memcpy(region->values[i], function->values[i].data, bytes);
    }
    for (int32_t i = 0; i < function->step_count; ++i) {
        const partita_step *step = &function->steps[i];
        region->steps[i].what = operation_of(step->op);
        region->steps[i].left = step->inputs[0];
        region->steps[i].right = step->input_count > 1 ? step->inputs[1] : step->inputs[0];
        region->steps[i].result = step->outputs[0];
    }
    return region;
}

static void compute(const instruction *step, float **values, int64_t elements)
{
    const float *left = values[step->left], *right = values[step->right];
    float *result = values[step->result];
    for (int64_t i = 0; i < elements; ++i) {
        switch (step->what) {
            case ADD: result[i] = left[i] + right[i]; break;
            case SUBTRACT: result[i] = left[i] - right[i]; break;
            case MULTIPLY: result[i] = left[i] * right[i]; break;
            default: result[i] = left[i] > 0 ? left[i] : 0; break;
        }
    }
}

static int32_t run(partita_region *region, const partita_tensor *inputs, const partita_tensor *outputs, char *message,
                   size_t message_size)
{
    size_t bytes = (size_t)region->elements * sizeof(float);
    (void)message;
    (void)message_size;
    for (int32_t i = 0; i < region->input_count; ++i) memcpy(region->values[region->inputs[i]], inputs[i].data, bytes);
    for (int32_t i = 0; i < region->step_count; ++i) compute(&region->steps[i], region->values, region->elements);
    for (int32_t i = 0; i < region->output_count; ++i) memcpy(outputs[i].data, region->values[region->outputs[i]], bytes);
    return 0;
}

const partita_plugin *partita_plugin_entry(void)
{
    static const partita_plugin plugin = {PARTITA_PLUGIN_VERSION, "elementwise", can_compile, compile, run, release};
    return &plugin;
}
