/* Bring your own backend: the C interface of a shared library that compiles and runs regions for Partita.
 *
 * A library exports `partita_plugin_entry`. Partita loads it in a process of its own, asks `can_compile`, then
 * `compile`, then `run` any number of times, then `release`, all from one thread. If the library refuses, crashes,
 * takes too long or writes outside its outputs, only its own region is lost: it runs on Partita's kernels, with a
 * notice that says why.
 *
 * A backend description names the library in its `codegen`: "plugin:/path/to/library.so". A `codegen` of
 * "command:program argument ..." names a program that is given the function as JSON (see `json` below) on its standard
 * input and writes such a library, or C source of one, to its standard output.
 *
 * Everything that a pointer leads to belongs to Partita and is valid until the call returns, but for the values of
 * constants, which stay until `release`. Strings are UTF-8 and end with a zero. This file is C99 and C++.
 */
#ifndef PARTITA_PLUGIN_H
#define PARTITA_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when a structure changes; a library of another version is refused. */
#define PARTITA_PLUGIN_VERSION 1

/* A dense row-major tensor. */
typedef struct partita_tensor {
    const char* dtype; /* "float32", "int8", "bool" (a byte, 0 or 1), ... */
    int32_t rank;
    const int64_t* shape; /* `rank` extents, all known */
    void* data;           /* aligned to 64; NULL where there is no value yet */
} partita_tensor;

/* One call of an operator. Numbers of values are indices into partita_function.values. */
typedef struct partita_step {
    const char* op;         /* "nn.conv2d" */
    const char* composite;  /* the pattern's name if the step came from one, or "" */
    const char* attributes; /* a JSON object: {"axis": 1} */
    const int32_t* inputs;
    int32_t input_count;
    const int32_t* outputs;
    int32_t output_count;
} partita_step;

/* A region: steps in an order in which they can be run. Tuples are taken apart. */
typedef struct partita_function {
    const char* name;
    const partita_tensor* values; /* constants have data, others NULL */
    int32_t value_count;
    const int32_t* inputs; /* the values of the parameters */
    int32_t input_count;
    const int32_t* outputs; /* the values of the results */
    int32_t output_count;
    const partita_step* steps;
    int32_t step_count;
    /* All of this but the constants' data as JSON:
     * {"partita_region": 1, "name": NAME,
     *  "values": [{"dtype": D, "shape": [..], "constant": BOOL}, ..],
     *  "inputs": [VALUE, ..], "outputs": [VALUE, ..],
     *  "steps": [{"op": OP, "composite": NAME, "attributes": {..}, "inputs": [VALUE, ..], "outputs": [VALUE, ..]}, ..]}
     */
    const char* json;
} partita_function;

/* What the library made of a function; its own business. */
typedef struct partita_region partita_region;

typedef struct partita_plugin {
    uint32_t version; /* PARTITA_PLUGIN_VERSION */
    const char* name;
    /* Non-zero if the function can be compiled; otherwise the reason is written to `message`. */
    int32_t (*can_compile)(const partita_function* function, char* message, size_t message_size);
    /* The compiled region, or NULL and the reason in `message`. */
    partita_region* (*compile)(const partita_function* function, char* message, size_t message_size);
    /* Zero if the outputs were computed. The tensors stand in the order of the function's inputs and outputs and have
     * their types; outputs are not initialised. */
    int32_t (*run)(partita_region* region, const partita_tensor* inputs, const partita_tensor* outputs, char* message,
                   size_t message_size);
    void (*release)(partita_region* region);
} partita_plugin;

/* The one exported symbol. */
const partita_plugin* partita_plugin_entry(void);

#ifdef __cplusplus
}
#endif

#endif
