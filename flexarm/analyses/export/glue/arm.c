/* The functions of the header: the kernels do the work, this hands them the numbers of an arm. Nothing is allocated and
   nothing is global: all that changes lies in the struct, which holds no pointer, so that it may be copied and stored. */

#define ONE(p, n) 0, 0, (n), 8, (void *)(p), (n), 8
#define TWO(p, m, n) 0, 0, (m) * (n), 8, (void *)(p), (m), (n), 8 * (n), 8
#define THREE(p, l, m, n) 0, 0, (l) * (m) * (n), 8, (void *)(p), (l), (m), (n), 8 * (m) * (n), 8 * (n), 8

/* What the kernels ask of the compiler's own library: another shape for numbers that lie without gaps. */
int FUNCTION(reshape)(int64_t nd, const int64_t *dims, const int64_t *strides, int64_t newnd, const int64_t *newdims,
                      int64_t *newstrides, int64_t itemsize, int is_f_order)
{
    int64_t step = itemsize;
    (void)nd; (void)dims; (void)strides; (void)is_f_order;
    for (int64_t k = newnd - 1; k >= 0; k--) {
        newstrides[k] = step;
        step *= newdims[k];
    }
    return 1;
}

/* A record of arrays as the kernels see them: the words that never change, and where the arrays lie now. */
static void describe(int64_t *record, const int64_t *words, size_t size, const place *places, int count,
                     const int64_t *from)
{
    memcpy(record, words, size);
    for (int k = 0; k < count; k++)
        record[places[k].word] += from[places[k].kind];
}

#define ADDRESS(thing) ((int64_t)(intptr_t)(thing))

static int run_to(arm *self, double t)
{
    int64_t tree[TREE_WORDS], record[RECORD_WORDS], result = 0;
    const int64_t sweeps[5] = {SWEEP_ADDRESSES};
    const int64_t advance[1] = {ADDRESS(KERNEL(advance))};
    const int64_t from[KINDS] = {ADDRESS(constants), ADDRESS(wholes), ADDRESS(self->numbers), ADDRESS(self->counts),
                                 ADDRESS(tree), ADDRESS(sweeps), ADDRESS(advance)};
    void *raised = 0;
    describe(tree, tree_words, sizeof tree_words, tree_places, TREE_PLACES, from);
    describe(record, record_words, sizeof record_words, record_places, RECORD_PLACES, from);
#if INPUTS
    KERNEL(hold)(&result, &raised, ONE(record, RECORD_WORDS), ONE(self->numbers + AT_INPUT, INPUTS), t,
                 ONE(self->numbers + AT_LINEAR, OUTPUTS));
#else
    KERNEL(follow)(&result, &raised, ONE(record, RECORD_WORDS), t, self->numbers[AT_END],
                   ONE(self->numbers + AT_LINEAR, OUTPUTS));
#endif
    self->numbers[AT_TIME] = t;
    self->counts[AT_STALE] = 1;
    self->counts[AT_STATUS] = result;
    return (int)result;
}

static int processor_suffices(void)
{
#if defined(__x86_64__) && LEVEL > 1
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & FIRST_WORD) != FIRST_WORD)
        return 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & SEVENTH_WORD) != SEVENTH_WORD)
        return 0;
#endif
    return 1;
}

size_t FUNCTION(size)(void) { return sizeof(arm); }

int FUNCTION(reset)(arm *self)
{
    memset(self, 0, sizeof *self);
    memcpy(self->numbers, fresh_numbers, sizeof fresh_numbers);
    memcpy(self->counts, fresh_counts, sizeof fresh_counts);
    if (!processor_suffices())
        return (int)(self->counts[AT_STATUS] = NO_PROCESSOR);
    return run_to(self, 0.0);
}

int FUNCTION(configure)(arm *self, double end, double tolerance, double step)
{
    double *settings = self->numbers + AT_SETTINGS;
    double allowed = STEP_SHARE * tolerance;
    if (!(end > 0.0) || !(tolerance > 0.0) || !(step >= 0.0) || end > DBL_MAX || tolerance > DBL_MAX || step > DBL_MAX)
        return NOT_A_NUMBER;
    if (self->numbers[AT_TIME] > 0.0 || self->numbers[AT_CLOCK] > 0.0)
        return TIME_PASSED;
#if !INPUTS
    if (step > 0.0 && 1e-15 * REACH < allowed)
        allowed = 1e-15 * REACH;
    self->numbers[AT_END] = self->numbers[AT_LENGTH] = end;
    settings[2] = 1e-12 * end;
    settings[3] = GREATEST_SHARE * end;
#endif
    settings[0] = allowed;
    settings[1] = step;
    return 0;
}

int FUNCTION(start_at)(arm *self, int coordinate, double position, double rate)
{
    if (coordinate < 0 || coordinate >= COORDINATES || driven[coordinate] || !isfinite(position) || !isfinite(rate))
        return NOT_A_NUMBER;
    if (self->numbers[AT_TIME] > 0.0 || self->numbers[AT_CLOCK] > 0.0)
        return TIME_PASSED;
    self->numbers[AT_STATE + coordinate] = position;
    self->numbers[AT_STATE + COORDINATES + coordinate] = rate;
    self->counts[AT_BEGUN] = 0;
    return run_to(self, 0.0);
}

double FUNCTION(start_position)(const arm *self, int coordinate)
{
    return self->numbers[AT_STATE + coordinate];
}

double FUNCTION(start_rate)(const arm *self, int coordinate)
{
    return self->numbers[AT_STATE + COORDINATES + coordinate];
}

double FUNCTION(time)(const arm *self) { return self->numbers[AT_TIME]; }

int FUNCTION(status)(const arm *self) { return (int)self->counts[AT_STATUS]; }

int FUNCTION(set)(arm *self, int input, double value)
{
    if (input < 0 || input >= INPUTS || !isfinite(value))
        return NOT_A_NUMBER;
    self->numbers[AT_INPUT + input] = value;
    self->counts[AT_STALE] = 1;
    return 0;
}

double FUNCTION(get)(const arm *self, int input)
{
    return input < 0 || input >= INPUTS ? (double)NAN : self->numbers[AT_INPUT + input];
}

int FUNCTION(advance_to)(arm *self, double t)
{
    if (self->counts[AT_STATUS] > 0 || self->counts[AT_STATUS] == NO_PROCESSOR)
        return (int)self->counts[AT_STATUS];
    if (!isfinite(t))
        return NOT_A_NUMBER;
    if (t < self->numbers[AT_TIME])
        return TIME_PASSED;
#if !INPUTS
    double *end = self->numbers + AT_END;
    /* who adds up periods misses the end of a run by rounding */
    if (fabs(t - *end) <= 1e-9 * *end)
        t = *end;
    while (t > *end) {
        int status = run_to(self, *end);
        if (status != 0)
            return status;
        *end += self->numbers[AT_LENGTH];
    }
#endif
    return run_to(self, t);
}

int FUNCTION(advance)(arm *self, double period)
{
    double *at = self->numbers + AT_PERIOD; /* the period, and when the first of equal ones began */
    if (at[0] != period) {
        at[0] = period;
        at[1] = self->numbers[AT_TIME];
        self->counts[AT_PERIODS] = 0;
    }
    int status = FUNCTION(advance_to)(self, at[1] + (double)(self->counts[AT_PERIODS] + 1) * period);
    if (status == 0)
        self->counts[AT_PERIODS] += 1;
    return status;
}

void FUNCTION(save)(const arm *self, void *to) { memcpy(to, self, sizeof *self); }

int FUNCTION(restore)(arm *self, const void *from)
{
    int64_t mark;
    memcpy(&mark, (const char *)from + offsetof(arm, counts) + 8 * AT_MARK, sizeof mark);
    if (mark != MARK)
        return OTHER_ARM;
    memcpy(self, from, sizeof *self);
    return 0;
}

#if OBSERVES
static void observe(const arm *self, const double *q, const double *v, const double *a, double *seen)
{
    void *result = 0, *raised = 0;
    double *work = (double *)self->numbers + AT_WORK; /* room: nothing is kept in it */
    KERNEL(observe)(&result, &raised, OBSERVED_TREE, OBSERVED_LOADS, OBSERVED_LAWS, ONE(self->numbers + AT_TIME, 1),
                    TWO(q, 1, COORDINATES), TWO(v, 1, COORDINATES), TWO(a, 1, COORDINATES), OBSERVED_POINTS,
                    THREE(seen, 1, POINTS, 3), THREE(seen + 3 * POINTS, 1, POINTS, 3),
                    THREE(seen + 6 * POINTS, 1, POINTS, 3), THREE(seen + 9 * POINTS, 1, POINTS, 4),
                    TWO(seen + 13 * POINTS, 1, COORDINATES), TWO(seen + 13 * POINTS + COORDINATES, 1, 3),
                    TWO(work, WORK_ROWS, WORK_COLUMNS), 1);
}
#endif

static double size_of(const double *x, const double *y)
{
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = y ? x[k] - y[k] : x[k];
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* All outputs of the present state, computed once. */
static void look(arm *self)
{
    double *y = self->numbers + AT_OUTPUT;
    const double *q = self->numbers + AT_SEEN, *v = q + COORDINATES, *a = v + COORDINATES;
    if (!self->counts[AT_STALE])
        return;
    memcpy(y, self->numbers + AT_LINEAR, OUTPUTS * sizeof *y);
#if OBSERVES
    double *seen = self->numbers + AT_POINTS, *rigid = self->numbers + AT_RIGID;
    observe(self, q, v, a, seen);
#if RIGID
    double *flat = self->numbers + AT_FLAT;
    for (int c = 0; c < COORDINATES; c++) {
        flat[c] = elastic[c] ? 0.0 : q[c];
        flat[COORDINATES + c] = elastic[c] ? 0.0 : v[c];
        flat[2 * COORDINATES + c] = elastic[c] ? 0.0 : a[c];
    }
    observe(self, flat, flat + COORDINATES, flat + 2 * COORDINATES, rigid);
#endif
#endif
#if PUSHES || SERVOS
    double *torque = self->numbers + AT_TORQUE, *room = torque + COORDINATES + SERVOS;
    void *result = 0, *raised = 0;
#endif
#if PUSHES
    KERNEL(command)(&result, &raised, RUN_LAWS, RUN_COMMANDS, self->numbers[AT_TIME], self->numbers[AT_TIME] > 0.0,
                    ONE(room, COORDINATES), ONE(room + COORDINATES, COORDINATES),
                    ONE(room + 2 * COORDINATES, COORDINATES), ONE(torque, COORDINATES));
#endif
#if SERVOS
    KERNEL(drive_torques)(&result, &raised, RUN_LAWS, RUN_COMMANDS, ONE(self->numbers + AT_TIME, 1),
                          TWO(q, 1, COORDINATES), TWO(v, 1, COORDINATES), TWO(integrators(self, room), 1, SERVOS),
                          TWO(torque + COORDINATES, 1, SERVOS));
#endif
    for (int k = 0; k < OUTPUTS; k++) {
        int j = output_index[k];
        (void)j;
        switch (output_kind[k]) {
#if OBSERVES
        case OF_POINT: y[k] = seen[j]; break;
        case SPEED: y[k] = size_of(seen + 3 * POINTS + 3 * j, 0); break;
#if RIGID
        case FROM_RIGID: y[k] = seen[j] - rigid[j]; break;
        case DEFLECTION: y[k] = size_of(seen + 3 * j, rigid + 3 * j); break;
#endif
#endif
#if PUSHES || SERVOS
        case OF_DRIVE: y[k] = torque[j]; break;
#endif
        default: break; /* the run itself gives it */
        }
    }
    (void)q; (void)v; (void)a; (void)size_of;
    self->counts[AT_STALE] = 0;
}

double FUNCTION(read)(arm *self, int output)
{
    if (output < 0 || output >= OUTPUTS)
        return (double)NAN;
    look(self);
    return self->numbers[AT_OUTPUT + output];
}

void FUNCTION(read_all)(arm *self, double *outputs)
{
    look(self);
    memcpy(outputs, self->numbers + AT_OUTPUT, OUTPUTS * sizeof *outputs);
}

const char *FUNCTION(message)(int status)
{
    switch (status) {
MESSAGES
    default: return "it runs on";
    }
}
