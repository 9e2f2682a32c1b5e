/* NumPy's .npy files: one tensor each, row-major. */
#ifndef NPY_H
#define NPY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

/* The shape as Python writes a tuple, into text of `room` bytes. */
static void npy_shape(const model_tensor *tensor, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "(");
    for (int d = 0; d < tensor->rank && used < room; ++d)
        used += (size_t)snprintf(text + used, room - used, "%s%lld", d ? ", " : "", (long long)tensor->shape[d]);
    if (used < room) snprintf(text + used, room - used, tensor->rank == 1 ? ",)" : ")");
}

/* Where the value of a key begins in a header, which is a Python dictionary; "" where it has no such key. */
static const char *npy_value(const char *text, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = text; (at = strstr(at, key)) != NULL; at += length)
        if (at > text && (at[-1] == '\'' || at[-1] == '"') && at[length] == at[-1]) {
            at += length + 1;
            return at + strspn(at, " \t\n:");
        }
    return "";
}

static int npy_has_type(const char *text, const model_tensor *tensor)
{
    return (text[0] == '\'' || text[0] == '"') && text[1] && strchr("<|=", text[1]) &&
           strncmp(text + 2, tensor->descr + 1, 2) == 0 && text[4] == text[0];
}

/* Any spelling of the tuple: (1, 128), (1,128,), ( 1, 128, ), (1L, 128L). */
static int npy_has_shape(const char *text, const model_tensor *tensor)
{
    if (*text++ != '(') return 0;
    for (int d = 0; d < tensor->rank; ++d) {
        char *end;
        if (d > 0 && *text++ != ',') return 0;
        if (strtoll(text, &end, 10) != (long long)tensor->shape[d] || end == text) return 0;
        text = end + (*end == 'L');
        text += strspn(text, " \t\n");
    }
    if (*text == ',') ++text;
    return text[strspn(text, " \t\n")] == ')';
}

/* Reads a file of exactly this type and shape. 0, or -1 with a message on standard error. */
static int npy_read(const char *path, const model_tensor *tensor, void *data)
{
    unsigned char head[12];
    char text[4096], shape[1024] = "";
    size_t length = 0;
    int fits = 0;
    npy_shape(tensor, shape, sizeof shape);
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "error: can't read %s\n", path);
        return -1;
    }
    if (fread(head, 1, 10, file) == 10 && memcmp(head, "\x93NUMPY", 6) == 0) {
        length = head[8] + 256u * head[9];
        if (head[6] > 1 && fread(head + 10, 1, 2, file) == 2) length += 65536u * head[10];
    }
    if (length > 0 && length < sizeof text && fread(text, 1, length, file) == length) {
        text[length] = '\0';
        fits = npy_has_type(npy_value(text, "descr"), tensor) &&
               strncmp(npy_value(text, "fortran_order"), "False", 5) == 0 &&
               npy_has_shape(npy_value(text, "shape"), tensor) && fread(data, 1, tensor->bytes, file) == tensor->bytes;
    }
    fclose(file);
    if (!fits)
        fprintf(stderr, "error: %s is no .npy file of type %s and shape %s in row-major order\n", path, tensor->descr,
                shape);
    return fits ? 0 : -1;
}

static int npy_write(const char *path, const model_tensor *tensor, const void *data)
{
    char shape[1024], text[2048];
    unsigned char head[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    npy_shape(tensor, shape, sizeof shape);
    int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", tensor->descr,
                          shape);
    while ((length + 1 + 10) % 64 != 0) text[length++] = ' ';
    text[length++] = '\n';
    head[8] = (unsigned char)(length & 255);
    head[9] = (unsigned char)(length >> 8);
    FILE *file = fopen(path, "wb");
    int done = file && fwrite(head, 1, 10, file) == 10 && fwrite(text, 1, (size_t)length, file) == (size_t)length &&
               fwrite(data, 1, tensor->bytes, file) == tensor->bytes;
    if (file && fclose(file) != 0) done = 0;
    if (!done) fprintf(stderr, "error: can't write %s\n", path);
    return done ? 0 : -1;
}

#endif
