/* SPDX-License-Identifier: MIT
 *
 * An extension module for Python, linked to libutf8-assay: an example of a binding, and a test of the library.
 *
 *   validate(bytes)          None, or (offset, length, name of the fault) of the first error
 *   decode(bytes)            the text, with one U+FFFD for each maximal subpart of an error
 *   decode_file(path, size)  the same of a file, which is read in pieces of `size` bytes
 *
 *   cc -shared -fPIC $(python3-config --includes) python.c -o utf8_binding.so $(pkg-config --cflags --libs utf8-assay)
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdio.h>
#include <utf8-assay/utf8_assay.h>

static PyObject *validate(PyObject *module, PyObject *argument)
{
    Py_buffer view;
    struct utf8_assay_error error;
    (void)module;
    if (PyObject_GetBuffer(argument, &view, PyBUF_SIMPLE) != 0)
        return NULL;
    enum utf8_assay_status status = utf8_assay_validate(UTF8_ASSAY_UTF_8, view.buf, (size_t)view.len, &error);
    PyBuffer_Release(&view);
    if (status == UTF8_ASSAY_OK)
        Py_RETURN_NONE;
    return Py_BuildValue("(nns)", (Py_ssize_t)error.offset, (Py_ssize_t)error.length,
                         utf8_assay_fault_name(error.fault));
}

static PyObject *decode(PyObject *module, PyObject *argument)
{
    Py_buffer view;
    (void)module;
    if (PyObject_GetBuffer(argument, &view, PyBUF_SIMPLE) != 0)
        return NULL;
    PyObject *text = NULL;
    struct utf8_assay_result needed =
        utf8_assay_count(UTF8_ASSAY_UTF_8, UTF8_ASSAY_UTF_32, UTF8_ASSAY_WHATWG, view.buf, (size_t)view.len);
    uint32_t *units = PyMem_New(uint32_t, needed.written);
    if (units != NULL) {
        struct utf8_assay_result result = utf8_assay_convert(UTF8_ASSAY_UTF_8, UTF8_ASSAY_UTF_32, UTF8_ASSAY_WHATWG,
                                                             view.buf, (size_t)view.len, units, needed.written);
        text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, units, (Py_ssize_t)result.written);
        PyMem_Free(units);
    } else {
        PyErr_NoMemory();
    }
    PyBuffer_Release(&view);
    return text;
}

/* Appends decoded units to a list of strings. Returns 0, or -1 with an exception set. */
static int append(PyObject *parts, const uint32_t *units, size_t count)
{
    PyObject *part = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, units, (Py_ssize_t)count);
    int failed = part == NULL || PyList_Append(parts, part) != 0;
    Py_XDECREF(part);
    return failed ? -1 : 0;
}

/* Decodes an open file piece by piece into a list of strings. Returns 0, or -1 with an exception set. */
static int decode_pieces(FILE *file, uint8_t *bytes, uint32_t *units, size_t size, PyObject *parts)
{
    struct utf8_assay_stream stream;
    size_t byte_count;
    utf8_assay_stream_start(&stream, UTF8_ASSAY_UTF_8, UTF8_ASSAY_UTF_32, UTF8_ASSAY_WHATWG);
    while ((byte_count = fread(bytes, 1, size, file)) > 0) {
        size_t capacity = UTF8_ASSAY_MAX_FROM_BYTES(size);
        if (append(parts, units, utf8_assay_stream_feed(&stream, bytes, byte_count, 0, units, capacity).written) != 0)
            return -1;
    }
    if (ferror(file)) {
        PyErr_SetString(PyExc_OSError, "the file cannot be read");
        return -1;
    }
    return append(parts, units, utf8_assay_stream_finish(&stream, units, UTF8_ASSAY_PROGRESS_MIN).written);
}

static PyObject *decode_file(PyObject *module, PyObject *arguments)
{
    const char *path;
    Py_ssize_t size;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "sn", &path, &size))
        return NULL;
    if (size < 1 || size > 1 << 24)
        return PyErr_Format(PyExc_ValueError, "a piece has 1 to 2^24 bytes");
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
    uint8_t *bytes = PyMem_New(uint8_t, (size_t)size);
    uint32_t *units = PyMem_New(uint32_t, UTF8_ASSAY_MAX_FROM_BYTES((size_t)size));
    PyObject *parts = PyList_New(0), *empty = PyUnicode_New(0, 0), *text = NULL;
    if (bytes == NULL || units == NULL)
        PyErr_NoMemory();
    else if (parts != NULL && empty != NULL && decode_pieces(file, bytes, units, (size_t)size, parts) == 0)
        text = PyUnicode_Join(empty, parts);
    Py_XDECREF(empty);
    Py_XDECREF(parts);
    PyMem_Free(units);
    PyMem_Free(bytes);
    fclose(file);
    return text;
}

static PyMethodDef functions[] = {{"validate", validate, METH_O, NULL},
                                  {"decode", decode, METH_O, NULL},
                                  {"decode_file", decode_file, METH_VARARGS, NULL},
                                  {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "utf8_binding", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_utf8_binding(void)
{
    return PyModule_Create(&definition);
}
