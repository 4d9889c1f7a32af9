/* Clipped n-gram matches of all segments of some systems: the fast path of ngrams.py, which says
   what the arrays are.

   For each segment and n = 1, 2, ... the n-grams of the references get ids through a hash table
   keyed by (id of the first n - 1 units, last unit); then those of each system are looked up. An
   n-gram can only match where its first n - 1 units matched, so both sides go on with those
   positions alone. The table is made anew for each n, once for all systems, and stays in the
   first-level cache; memory is bounded by the longest segment of all texts together, whatever the
   order, the ids and the number of segments. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* An n-gram while it grows. */
typedef struct {
    const int32_t *next; /* the unit that would make it longer */
    const int32_t *end;  /* of its segment */
    uint32_t id;         /* of the units so far */
    uint32_t text;       /* which reference it stands in */
} Gram;

typedef struct {
    uint64_t key;
    uint32_t id; /* from 1; 0 in a free slot */
} Slot;

/* The grams of a system in one segment that may still match. */
typedef struct {
    Gram *grams;
    size_t left;
} Hypothesis;

/* So many units, of all systems or of all references, may a segment have: their numbers fit into 32
   bits, and the sizes of the arrays, of which the table is the largest (`bits_for`), into a size_t. */
#define MOST_UNITS Py_MIN(UINT32_MAX / 2, SIZE_MAX / (8 * sizeof(Slot)))

/* Room for the largest segment. */
typedef struct {
    Hypothesis *hypotheses;
    Gram *own, *references; /* grams of all systems, of all references */
    Slot *table;
    uint32_t *counts; /* of each id: in any system, the most in a reference, in each reference */
    uint32_t *seen;   /* of each id: so far in one system */
} Room;

/* Of a table that is a quarter full at most; it has 8 slots an entry at most. */
static int bits_for(size_t entries) {
    int bits = 3;
    while (((size_t)1 << bits) < 4 * entries)
        bits++;
    return bits;
}

/* The slot that holds the gram with its next unit, or the free one where it belongs. */
static Slot *find(Slot *table, int bits, const Gram *gram) {
    uint64_t key = (uint64_t)gram->id << 32 | (uint32_t)*gram->next;
    size_t mask = ((size_t)1 << bits) - 1;
    size_t place = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits));
    while (table[place].id && table[place].key != key)
        place = (place + 1) & mask;
    table[place].key = key;
    return &table[place];
}

static size_t start(Gram *grams, const int32_t *units, const int64_t *starts, uint32_t text) {
    size_t size = (size_t)(starts[1] - starts[0]);
    const int32_t *first = units + starts[0];
    for (size_t i = 0; i < size; i++)
        grams[i] = (Gram){first + i, first + size, 0, text};
    return size;
}

/* Count one segment. There are few branches, because what matches cannot be predicted: a gram that
   is in no reference has the id 0, whose counts in references are 0, so that it never matches.
   `match` and `match_any` point to the first order of the first system and reference, `stride`
   leads to the next of these. */
static void count_segment(Room *room, size_t systems, size_t own, size_t others, size_t references,
                          size_t order, int64_t *match, int64_t *match_any, size_t stride) {
    size_t width = references + 2;
    Gram *reference = room->references;
    uint32_t *all_counts = room->counts, *seen = room->seen;
    Slot *table = room->table;
    for (size_t n = 0; n < order && own && others; n++) {
        int bits = bits_for(others);
        memset(table, 0, sizeof(Slot) << bits);
        memset(all_counts, 0, (others + 1) * width * sizeof(uint32_t));
        uint32_t ids = 0;
        for (size_t i = 0; i < others; i++) {
            Gram *gram = &reference[i];
            Slot *slot = find(table, bits, gram);
            uint32_t is_new = !slot->id;
            ids += is_new;
            slot->id += is_new * ids;
            gram->id = slot->id;
            uint32_t *counts = all_counts + gram->id * width;
            uint32_t count = ++counts[2 + gram->text];
            counts[1] = count > counts[1] ? count : counts[1];
        }
        own = 0;
        for (size_t t = 0; t < systems; t++) {
            Hypothesis *hypothesis = &room->hypotheses[t];
            Gram *grams = hypothesis->grams;
            int64_t *match_each = match + t * references * stride + n;
            size_t kept = 0, matches = 0;
            memset(seen, 0, (ids + 1) * sizeof(uint32_t));
            for (size_t i = 0; i < hypothesis->left; i++) {
                Gram gram = grams[i];
                gram.id = find(table, bits, &gram)->id;
                gram.next++;
                uint32_t *counts = all_counts + gram.id * width;
                uint32_t count = ++seen[gram.id];
                counts[0] = 1;
                matches += count <= counts[1];
                for (size_t r = 0; r < references; r++)
                    match_each[r * stride] += count <= counts[2 + r];
                grams[kept] = gram;
                kept += (gram.id != 0) & (gram.next < gram.end);
            }
            match_any[t * stride + n] += (int64_t)matches;
            own += hypothesis->left = kept;
        }
        size_t kept = 0;
        for (size_t i = 0; i < others; i++) {
            Gram gram = reference[i];
            gram.next++;
            reference[kept] = gram;
            kept += (all_counts[gram.id * width] != 0) & (gram.next < gram.end);
        }
        others = kept;
    }
}

/* Where each of `texts` times S segments starts, and where the last ends, must be ascending and fit
   the units; then no reading below can leave them. */
static int valid(const Py_buffer *units, const Py_buffer *starts, size_t texts, size_t segments) {
    size_t entries = texts * segments + 1;
    const int64_t *start = starts->buf;
    if (starts->len % sizeof(int64_t) || (size_t)starts->len / sizeof(int64_t) != entries ||
        units->len % sizeof(int32_t) || start[0] != 0 ||
        start[entries - 1] != units->len / (Py_ssize_t)sizeof(int32_t))
        return 0;
    for (size_t i = 1; i < entries; i++)
        if (start[i] < start[i - 1])
            return 0;
    return 1;
}

/* Whether a buffer holds that many times that many ... numbers; no product is formed that could
   overflow. */
static int holds(const Py_buffer *buffer, const size_t *shape, size_t dimensions) {
    size_t size = (size_t)buffer->len, any = 1;
    if (size % sizeof(int64_t))
        return 0;
    size /= sizeof(int64_t);
    for (size_t i = 0; i < dimensions; i++)
        any = any && shape[i];
    if (!any)
        return !size;
    for (size_t i = 0; i < dimensions; i++) {
        if (size % shape[i])
            return 0;
        size /= shape[i];
    }
    return size == 1;
}

/* The units of the longest segment, of all texts together. */
static size_t longest(const int64_t *starts, size_t texts, size_t segments) {
    size_t most = 1;
    for (size_t s = 0; s < segments; s++) {
        size_t units = 0;
        for (size_t t = 0; t < texts; t++) {
            const int64_t *at = starts + t * segments + s;
            units += (size_t)(at[1] - at[0]);
        }
        most = units > most ? units : most;
    }
    return most;
}

static PyObject *count(PyObject *module, PyObject *args) {
    (void)module;
    Py_buffer units, starts, reference_units, reference_starts, match, match_any;
    Py_ssize_t given_systems, given_references, given_order;
    PyObject *result = NULL;
    Room room = {0};
    if (!PyArg_ParseTuple(args, "y*y*ny*y*nnw*w*:count", &units, &starts, &given_systems,
                          &reference_units, &reference_starts, &given_references, &given_order,
                          &match, &match_any))
        return NULL;
    size_t systems = (size_t)given_systems, references = (size_t)given_references;
    size_t order = (size_t)given_order, segments = 0;
    if (given_systems > 0 && starts.len)
        segments = ((size_t)starts.len / sizeof(int64_t) - 1) / systems;
    const size_t shape[] = {systems, references, segments, order};
    const size_t shape_any[] = {systems, segments, order};
    if (given_systems <= 0 || given_references < 0 || given_order < 0 ||
        (segments && references > SIZE_MAX / sizeof(int64_t) / segments) ||
        !valid(&units, &starts, systems, segments) ||
        !valid(&reference_units, &reference_starts, references, segments) ||
        !holds(&match, shape, 4) || !holds(&match_any, shape_any, 3)) {
        PyErr_SetString(PyExc_ValueError, "the arrays do not belong together");
        goto done;
    }
    const int64_t *own_start = starts.buf, *other_start = reference_starts.buf;
    size_t most_own = longest(own_start, systems, segments);
    size_t most_others = longest(other_start, references, segments);
    size_t width = references + 2;
    if (most_own > MOST_UNITS || most_others > MOST_UNITS ||
        width > SIZE_MAX / sizeof(uint32_t) / (most_others + 1)) {
        PyErr_SetString(PyExc_OverflowError, "a segment is too long");
        goto done;
    }
    room.hypotheses = malloc(systems * sizeof(Hypothesis));
    room.own = malloc(most_own * sizeof(Gram));
    room.references = malloc(most_others * sizeof(Gram));
    room.table = malloc(sizeof(Slot) << bits_for(most_others));
    room.counts = malloc((most_others + 1) * width * sizeof(uint32_t));
    room.seen = malloc((most_others + 1) * sizeof(uint32_t));
    if (!room.hypotheses || !room.own || !room.references || !room.table || !room.counts ||
        !room.seen) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (size_t s = 0; s < segments; s++) {
        size_t own = 0, others = 0;
        for (size_t t = 0; t < systems; t++) {
            Gram *grams = room.own + own;
            size_t size = start(grams, units.buf, own_start + t * segments + s, 0);
            room.hypotheses[t] = (Hypothesis){grams, size};
            own += size;
        }
        for (size_t r = 0; r < references; r++)
            others += start(room.references + others, reference_units.buf,
                            other_start + r * segments + s, (uint32_t)r);
        count_segment(&room, systems, own, others, references, order,
                      (int64_t *)match.buf + s * order, (int64_t *)match_any.buf + s * order,
                      segments * order);
    }
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
done:
    free(room.hypotheses);
    free(room.own);
    free(room.references);
    free(room.table);
    free(room.counts);
    free(room.seen);
    PyBuffer_Release(&units);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&reference_units);
    PyBuffer_Release(&reference_starts);
    PyBuffer_Release(&match);
    PyBuffer_Release(&match_any);
    return result;
}

static PyMethodDef methods[] = {
    {"count", count, METH_VARARGS, "Add the clipped n-gram matches to arrays of zeros."},
    {NULL, NULL, 0, NULL},
};

static int set_up(PyObject *module) {
    return PyModule_AddStringConstant(module, "SOURCE", MORPOS_SOURCE);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, set_up}, {0, NULL}};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "morpos.scoring._ngrams", NULL, 0, methods, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__ngrams(void) { return PyModuleDef_Init(&definition); }
