/* Runs the module once or several times. Inputs come from .npy files; those that are not given are made up from a
   seed, the same as `partita-cli run --seed N` makes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "example.h"
#include "model.h"
#include "npy.h"

static uint64_t mix(uint64_t value)
{
    value ^= value >> 33;
    value *= UINT64_C(0xff51afd7ed558ccd);
    value ^= value >> 33;
    value *= UINT64_C(0xc4ceb9fe1a85ec53);
    return value ^ value >> 33;
}

static uint64_t combine(uint64_t seed, uint64_t value) { return mix(seed * UINT64_C(0x9e3779b97f4a7c15) + value + 1); }

static double uniform(uint64_t seed, uint64_t index)
{
    return (double)(mix(seed + index * UINT64_C(0x9e3779b97f4a7c15)) >> 11) * 0x1p-53;
}

static void store(const model_tensor *tensor, void *data, size_t i, double value)
{
    const char *type = tensor->descr + 1;
    if (strcmp(type, "f4") == 0) ((float *)data)[i] = (float)value;
    else if (strcmp(type, "f8") == 0) ((double *)data)[i] = value;
    else if (strcmp(type, "i1") == 0) ((int8_t *)data)[i] = (int8_t)value;
    else if (strcmp(type, "i2") == 0) ((int16_t *)data)[i] = (int16_t)value;
    else if (strcmp(type, "i4") == 0) ((int32_t *)data)[i] = (int32_t)value;
    else if (strcmp(type, "i8") == 0) ((int64_t *)data)[i] = (int64_t)value;
    else if (strcmp(type, "u2") == 0) ((uint16_t *)data)[i] = (uint16_t)value;
    else if (strcmp(type, "u4") == 0) ((uint32_t *)data)[i] = (uint32_t)value;
    else if (strcmp(type, "u8") == 0) ((uint64_t *)data)[i] = (uint64_t)value;
    else ((uint8_t *)data)[i] = (uint8_t)value;
}

/* The made-up values of an input. */
static void make_input(int number, uint64_t seed, void *data)
{
    const model_tensor *tensor = &model_inputs[number];
    const example_range *range = &example_ranges[number];
    uint64_t state = mix(seed + 1);
    for (const char *letter = tensor->name; *letter; ++letter) state = combine(state, (unsigned char)*letter);
    state = mix(state);
    for (size_t i = 0; i < tensor->elements; ++i) {
        double value;
        if (range->kind == 'n')
            value = sqrt(-2 * log(1 - uniform(state, 2 * i))) *
                    cos(2 * 3.141592653589793238462643 * uniform(state, 2 * i + 1));
        else
            value = range->low + (range->high - range->low) * uniform(state, i);
        store(tensor, data, i, range->kind == 'w' ? floor(value) : value);
    }
}

static void *get_memory(size_t bytes)
{
    void *memory = aligned_alloc(64, bytes + 64 - bytes % 64);
    if (memory) return memory;
    fprintf(stderr, "error: out of memory\n");
    exit(1);
}

static double milliseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int usage(void)
{
    fprintf(stderr, "usage: model [--seed N] [--repeat N] [--weights FILE] [--output-dir FOLDER] [INPUT=FILE.npy ...]\n"
                    "INPUT is the name of an input, or its number from 0 on.\n");
    return 2;
}

/* The number of the input that an argument NAME=FILE gives; -1 where there is none. */
static int input_of(const char *argument, const char *sign)
{
    size_t length = (size_t)(sign - argument);
    char *end;
    for (int i = 0; i < MODEL_INPUTS; ++i)
        if (strlen(model_inputs[i].name) == length && memcmp(model_inputs[i].name, argument, length) == 0) return i;
    long number = strtol(argument, &end, 10);
    return end == sign && number >= 0 && number < MODEL_INPUTS ? (int)number : -1;
}

/* Of up to 19 digits, which fit into 64 bits. */
static int is_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < 20 && text[digits] == '\0';
}

static int write_outputs(const char *folder, void *const *outputs)
{
    char path[4096];
    for (int i = 0; i < MODEL_OUTPUTS; ++i) {
        if (snprintf(path, sizeof path, "%s/output_%d.npy", folder, i) >= (int)sizeof path) return -1;
        if (npy_write(path, &model_outputs[i], outputs[i]) != 0) return -1;
    }
    return 0;
}

int main(int count, char **arguments)
{
    const char *weights_path = "weights.bin", *folder = NULL, *files[MODEL_INPUTS + 1] = {NULL};
    uint64_t seed = 0;
    unsigned long repeat = 1;
    for (int i = 1; i < count; ++i) {
        const char *sign = strchr(arguments[i], '=');
        int has_value = i + 1 < count;
        if (strcmp(arguments[i], "--seed") == 0 && has_value && is_number(arguments[i + 1]))
            seed = strtoull(arguments[++i], NULL, 10);
        else if (strcmp(arguments[i], "--repeat") == 0 && has_value && is_number(arguments[i + 1]))
            repeat = strtoul(arguments[++i], NULL, 10);
        else if (strcmp(arguments[i], "--weights") == 0 && has_value) weights_path = arguments[++i];
        else if (strcmp(arguments[i], "--output-dir") == 0 && has_value) folder = arguments[++i];
        else if (sign && input_of(arguments[i], sign) >= 0) files[input_of(arguments[i], sign)] = sign + 1;
        else return usage();
    }

    if (repeat == 0) return usage();

    unsigned char *weights = model_load_weights(weights_path);
    if (!weights) {
        fprintf(stderr, "error: %s can't be read or holds other weights\n", weights_path);
        return 1;
    }
    const void *inputs[MODEL_INPUTS + 1];
    void *outputs[MODEL_OUTPUTS + 1];
    for (int i = 0; i < MODEL_INPUTS; ++i) {
        void *data = get_memory(model_inputs[i].bytes);
        if (!files[i]) make_input(i, seed, data);
        else if (npy_read(files[i], &model_inputs[i], data) != 0) return 1;
        inputs[i] = data;
    }
    for (int i = 0; i < MODEL_OUTPUTS; ++i) outputs[i] = get_memory(model_outputs[i].bytes);

    unsigned char *workspace = get_memory(MODEL_WORKSPACE_BYTES);
    double best = 0;
    for (unsigned long i = 0; i < repeat; ++i) {
        double begin = milliseconds();
        if (model_run(inputs, outputs, weights, workspace) != 0) {
            fprintf(stderr, "error: an index that the module reads from a tensor is out of range, "
                            "or an integer is divided by zero\n");
            return 1;
        }
        double time = milliseconds() - begin;
        if (i == 0 || time < best) best = time;
    }
    printf("%d outputs in %.3f ms\n", MODEL_OUTPUTS, best);
    if (folder && write_outputs(folder, outputs) != 0) return 1;

    for (int i = 0; i < MODEL_INPUTS; ++i) free((void *)(uintptr_t)inputs[i]);
    for (int i = 0; i < MODEL_OUTPUTS; ++i) free(outputs[i]);
    free(workspace);
    free(weights);
    return 0;
}
