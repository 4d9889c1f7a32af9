/* Training of Morfessor Baseline: what morfessor.py replaces in the package, in C.

   Each operation on a running sum comes in the package's order, so that all costs are equal to the
   last bit and so are all decisions (compile without fused operations: -ffp-contract=off). All
   constructions are parts of training words: a node points to its letters there. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS 0x110000

/* A construction: as the package's ConstrNode, all 0 where that has none. */
typedef struct {
    const Py_UCS4 *text;
    uint32_t length, split;
    int64_t root_count, count;
} Node;

typedef struct {
    PyObject_HEAD
    Py_UCS4 **words;
    uint32_t *lengths; /* of the words */
    size_t size;       /* number of words */
    Node *nodes;
    size_t used, room;
    uint32_t *table; /* hash table of 1 + the index of a node */
    int bits;
    int64_t *letters; /* how often each stands in the lexicon */
    int64_t kinds;    /* how many different ones there are */
    int64_t boundaries, tokens, lexicon_boundaries, lexicon_tokens;
    double log_sum, lexicon_log_sum, weight;
    Py_buffer n_log_n, log_factorial; /* by n */
    int failed;                       /* out of memory, or of the tables */
} Trainer;

static double at(Trainer *self, const Py_buffer *table, int64_t n) {
    if (n < 0 || (size_t)n >= (size_t)table->len / sizeof(double)) {
        self->failed = 1;
        return 0;
    }
    return ((const double *)table->buf)[n];
}

static size_t hash(const Trainer *self, const Py_UCS4 *text, uint32_t length) {
    uint64_t value = length;
    for (uint32_t i = 0; i < length; i++)
        value = (value ^ text[i]) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(value * UINT64_C(0x9E3779B97F4A7C15) >> (64 - self->bits));
}

/* Where a construction is, or belongs, in the table. */
static uint32_t *place(const Trainer *self, const Py_UCS4 *text, uint32_t length) {
    size_t slot = hash(self, text, length), mask = ((size_t)1 << self->bits) - 1;
    for (; self->table[slot]; slot = (slot + 1) & mask) {
        const Node *node = &self->nodes[self->table[slot] - 1];
        if (node->length == length && !memcmp(node->text, text, length * sizeof(Py_UCS4)))
            break;
    }
    return &self->table[slot];
}

static int grow(Trainer *self) {
    size_t room = self->room ? 2 * self->room : 1024;
    if (room > UINT32_MAX / 4)
        return 0;
    Node *nodes = realloc(self->nodes, room * sizeof(Node));
    if (!nodes)
        return 0;
    self->nodes = nodes;
    self->room = room;
    free(self->table);
    for (self->bits = 1; ((size_t)1 << self->bits) < 2 * room; self->bits++)
        ;
    self->table = calloc((size_t)1 << self->bits, sizeof(uint32_t));
    if (!self->table)
        return 0;
    for (size_t i = 0; i < self->used; i++)
        *place(self, nodes[i].text, nodes[i].length) = (uint32_t)i + 1;
    return 1;
}

/* The node of a construction, an empty one where there was none; NULL without memory. */
static Node *find(Trainer *self, const Py_UCS4 *text, uint32_t length) {
    if (self->used == self->room && !grow(self))
        self->failed = 1;
    if (self->failed)
        return NULL;
    uint32_t *slot = place(self, text, length);
    if (!*slot) {
        self->nodes[self->used++] = (Node){text, length, 0, 0, 0};
        *slot = (uint32_t)self->used;
    }
    return &self->nodes[*slot - 1];
}

/* The package's _modify_construction_count. */
static void change(Trainer *self, const Py_UCS4 *text, uint32_t length, int64_t by) {
    Node *node = find(self, text, length);
    if (!node)
        return;
    int64_t count = node->count, new_count = count + by;
    uint32_t split = node->split;
    node->count = new_count;
    if (!new_count)
        node->root_count = node->split = 0;
    if (split) {
        change(self, text, split, by);
        change(self, text + split, length - split, by);
        return;
    }
    self->tokens += by;
    self->log_sum = self->log_sum - at(self, &self->n_log_n, count);
    self->log_sum = self->log_sum + at(self, &self->n_log_n, new_count);
    if (count && new_count)
        return;
    int64_t step = new_count ? 1 : -1; /* it enters or leaves the lexicon */
    self->lexicon_boundaries += step;
    self->lexicon_tokens += step * (int64_t)length;
    double log_sum = self->lexicon_log_sum;
    for (uint32_t i = 0; i < length; i++) {
        int64_t *n = &self->letters[text[i]];
        log_sum = log_sum - at(self, &self->n_log_n, *n);
        *n += step;
        log_sum = log_sum + at(self, &self->n_log_n, *n);
    }
    self->lexicon_log_sum = log_sum;
}

/* The package's get_cost. */
static double cost_of(Trainer *self) {
    const Py_buffer *n_log_n = &self->n_log_n, *log_factorial = &self->log_factorial;
    int64_t words = self->boundaries, tokens = self->tokens, types = self->lexicon_boundaries;
    int64_t total = tokens + words, spelling = self->lexicon_tokens + types, kinds = self->kinds;
    double text = at(self, n_log_n, total) - at(self, n_log_n, words) - self->log_sum;
    double frequency = at(self, log_factorial, tokens - 1) - at(self, log_factorial, types - 1) -
                       at(self, log_factorial, tokens - types);
    double lexicon = at(self, n_log_n, spelling) - at(self, n_log_n, types) -
                     self->lexicon_log_sum - at(self, log_factorial, types);
    double letters = at(self, log_factorial, spelling - 1) - at(self, log_factorial, kinds) -
                     at(self, log_factorial, spelling - kinds - 1);
    return (text * self->weight + frequency) + (lexicon + letters);
}

/* The package's _recursive_split. */
static void optimise_part(Trainer *self, const Py_UCS4 *text, uint32_t length) {
    if (length == 1 || self->failed)
        return;
    Node *node = find(self, text, length);
    if (!node)
        return;
    int64_t root_count = node->root_count, count = node->count;
    change(self, text, length, -count);
    change(self, text, length, count);
    double best = cost_of(self);
    change(self, text, length, -count);
    uint32_t split = 0;
    for (uint32_t i = 1; i < length; i++) {
        change(self, text, i, count);
        change(self, text + i, length - i, count);
        double cost = cost_of(self);
        change(self, text, i, -count);
        change(self, text + i, length - i, -count);
        if (cost <= best) {
            best = cost;
            split = i;
        }
    }
    if (!(node = find(self, text, length)))
        return;
    node->root_count = root_count;
    if (!split) {
        change(self, text, length, count);
        return;
    }
    node->count = count;
    node->split = split;
    change(self, text, split, count);
    change(self, text + split, length - split, count);
    optimise_part(self, text, split);
    if (2 * split != length || memcmp(text, text + split, split * sizeof(Py_UCS4)))
        optimise_part(self, text + split, length - split);
}

static int fine(const Trainer *self) {
    if (self->failed)
        PyErr_SetString(PyExc_MemoryError, "out of memory, or of the tables of logarithms");
    return !self->failed;
}

static void release(PyObject *object) {
    Trainer *self = (Trainer *)object;
    PyTypeObject *type = Py_TYPE(object);
    for (size_t i = 0; i < self->size; i++)
        PyMem_Free(self->words[i]);
    free(self->words);
    free(self->lengths);
    free(self->nodes);
    free(self->table);
    free(self->letters);
    PyBuffer_Release(&self->n_log_n);
    PyBuffer_Release(&self->log_factorial);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *words, *counts;
    (void)keywords;
    Trainer *self = (Trainer *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self)
        return NULL;
    if (!PyArg_ParseTuple(args, "O!O!dy*y*", &PyList_Type, &words, &PyList_Type, &counts,
                          &self->weight, &self->n_log_n, &self->log_factorial))
        goto error;
    size_t size = (size_t)PyList_Size(words);
    if ((size_t)PyList_Size(counts) != size) {
        PyErr_SetString(PyExc_ValueError, "not one count a word");
        goto error;
    }
    self->words = calloc(size + 1, sizeof *self->words);
    self->lengths = calloc(size + 1, sizeof *self->lengths);
    self->letters = calloc(LETTERS, sizeof *self->letters);
    if (!self->words || !self->lengths || !self->letters) {
        PyErr_NoMemory();
        goto error;
    }
    for (size_t i = 0; i < size; i++) {
        PyObject *word = PyList_GetItem(words, (Py_ssize_t)i);
        Py_ssize_t length = PyUnicode_GetLength(word);
        int64_t count = PyLong_AsLongLong(PyList_GetItem(counts, (Py_ssize_t)i));
        if (PyErr_Occurred())
            goto error;
        if (length < 1 || length > INT32_MAX || count < 1) {
            PyErr_SetString(PyExc_ValueError, "an empty word, or a count below 1");
            goto error;
        }
        if (!(self->words[i] = PyUnicode_AsUCS4Copy(word)))
            goto error;
        self->size = i + 1;
        self->lengths[i] = (uint32_t)length;
        self->boundaries += count;
        change(self, self->words[i], self->lengths[i], count);
        Node *node = find(self, self->words[i], self->lengths[i]);
        if (node)
            node->root_count += count;
    }
    /* The words stand unsplit in the lexicon, and so do all letters. */
    for (size_t letter = 0; letter < LETTERS; letter++)
        self->kinds += self->letters[letter] > 0;
    if (fine(self))
        return (PyObject *)self;
error:
    Py_DECREF(self);
    return NULL;
}

static PyObject *optimise(PyObject *object, PyObject *word) {
    Trainer *self = (Trainer *)object;
    Py_ssize_t i = PyLong_AsSsize_t(word);
    if (i < 0 || (size_t)i >= self->size) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_IndexError, "no such word");
        return NULL;
    }
    optimise_part(self, self->words[i], self->lengths[i]);
    return fine(self) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *cost(PyObject *object, PyObject *none) {
    (void)none;
    double value = cost_of((Trainer *)object);
    return fine((Trainer *)object) ? PyFloat_FromDouble(value) : NULL;
}

static PyObject *nodes(PyObject *object, PyObject *none) {
    Trainer *self = (Trainer *)object;
    PyObject *result = PyDict_New();
    (void)none;
    for (size_t i = 0; result && i < self->used; i++) {
        const Node *node = &self->nodes[i];
        if (!node->count)
            continue;
        Py_ssize_t bytes = (Py_ssize_t)(node->length * sizeof(Py_UCS4));
        int order = PY_LITTLE_ENDIAN ? -1 : 1;
        PyObject *text =
            PyUnicode_DecodeUTF32((const char *)node->text, bytes, "surrogatepass", &order);
        PyObject *value = Py_BuildValue("LLI", (long long)node->root_count,
                                        (long long)node->count, node->split);
        if (!text || !value || PyDict_SetItem(result, text, value))
            Py_CLEAR(result);
        Py_XDECREF(text);
        Py_XDECREF(value);
    }
    return result;
}

static PyMethodDef methods[] = {
    {"optimise", optimise, METH_O, "Split the word of that number anew, as costs least."},
    {"cost", cost, METH_NOARGS, "The cost of text and lexicon."},
    {"nodes", nodes, METH_NOARGS, "Root count, count and place of the split by construction."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot type_slots[] = {
    {Py_tp_new, create},
    {Py_tp_dealloc, release},
    {Py_tp_methods, methods},
    {Py_tp_doc, "Words with their counts, to be split: Trainer(words, counts, weight, n log n, log n!)"},
    {0, NULL},
};

static PyType_Spec type_spec = {
    "morpos.layers.morphemes._morfessor.Trainer", sizeof(Trainer), 0, Py_TPFLAGS_DEFAULT,
    type_slots,
};

static int set_up(PyObject *module) {
    PyObject *type = PyType_FromSpec(&type_spec);
    int failed = !type || PyModule_AddObjectRef(module, "Trainer", type) ||
                 PyModule_AddStringConstant(module, "SOURCE", MORPOS_SOURCE);
    Py_XDECREF(type);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, set_up}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_morfessor", NULL, 0, NULL, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__morfessor(void) { return PyModuleDef_Init(&definition); }
