/* The arm as a unit of co-simulation: what both versions of the interface share. */
#include "@id@.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))
#define TOKEN "@token@"

/* Numbers of the variables: time, tolerance, step, then inputs, outputs, and two for each start of a joint. */
enum { TIME, TOLERANCE, STEP, FIRST_INPUT };
#define FIRST_OUTPUT (FIRST_INPUT + @ID@_INPUTS)
#define FIRST_START (FIRST_OUTPUT + @ID@_OUTPUTS)
#define STARTS @starts@
static const int start_coordinates[] = {@start_coordinates@};

/* All that is kept of a unit, numbers alone. */
typedef struct kept {
    @id@ arm;
    double begin, end, tolerance, step;
    int64_t ready;
} kept;

typedef struct unit {
    kept now;
    void *environment;
    void (*log)(void *environment, const char *name, int status, const char *message);
    void (*logger)(void);
    char name[128];
} unit;

static void say(unit *own, int status, const char *message)
{
    if (own->log)
        own->log(own, own->name, status, message);
}

static int put_to_start(unit *own)
{
    memset(&own->now, 0, sizeof own->now);
    own->now.end = @ID@_END;
    own->now.tolerance = @tolerance@;
    own->now.step = @step@;
    return @id@_reset(&own->now.arm);
}

static unit *new_unit(const char *name, const char *token)
{
    unit *own;
    if (!token || strcmp(token, TOKEN) != 0 || !(own = calloc(1, sizeof *own)))
        return 0;
    strncpy(own->name, name ? name : "", sizeof own->name - 1);
    return own;
}

static void begin(unit *own, double start, bool ends, double stop)
{
    own->now.begin = start;
    if (ends && stop > start)
        own->now.end = stop - start;
}

/* 0, or what is wrong. */
static const char *make_ready(unit *own)
{
    double end = own->now.end > 0.0 ? own->now.end : 1.0;
    int status = @id@_configure(&own->now.arm, end, own->now.tolerance, own->now.step);
    own->now.ready = 1;
    return status == 0 ? 0 : @id@_message(status);
}

static const char *step(unit *own, double from, double length)
{
    int status = @id@_advance_to(&own->now.arm, from + length - own->now.begin);
    return status == 0 ? 0 : @id@_message(status);
}

static const char *get(unit *own, unsigned variable, double *value)
{
    @id@ *arm = &own->now.arm;
    if (variable == TIME)
        *value = own->now.begin + @id@_time(arm);
    else if (variable == TOLERANCE)
        *value = own->now.tolerance;
    else if (variable == STEP)
        *value = own->now.step;
    else if (variable < FIRST_OUTPUT)
        *value = @id@_get(arm, (int)(variable - FIRST_INPUT));
    else if (variable < FIRST_START)
        *value = @id@_read(arm, (int)(variable - FIRST_OUTPUT));
    else if (variable < FIRST_START + 2 * STARTS) {
        unsigned k = variable - FIRST_START;
        int c = start_coordinates[k / 2];
        *value = k % 2 ? @id@_start_rate(arm, c) : @id@_start_position(arm, c);
    } else
        return "there is no such variable";
    return 0;
}

static const char *set(unit *own, unsigned variable, double value)
{
    @id@ *arm = &own->now.arm;
    int status = 0;
    if (variable >= FIRST_INPUT && variable < FIRST_OUTPUT)
        status = @id@_set(arm, (int)(variable - FIRST_INPUT), value);
    else if (variable != TOLERANCE && variable != STEP && (variable < FIRST_START || variable >= FIRST_START + 2 * STARTS))
        return "the variable cannot be set";
    else if (own->now.ready)
        return "parameters are set before the end of the initialization";
    else if (variable == TOLERANCE)
        own->now.tolerance = value;
    else if (variable == STEP)
        own->now.step = value;
    else {
        unsigned k = variable - FIRST_START;
        int c = start_coordinates[k / 2];
        double q = k % 2 ? @id@_start_position(arm, c) : value;
        status = @id@_start_at(arm, c, q, k % 2 ? value : @id@_start_rate(arm, c));
    }
    return status == 0 ? 0 : @id@_message(status);
}

/* Unfolds a state; false if it is none of this arm. */
static bool take(unit *own, const void *bytes)
{
    kept *from = malloc(sizeof *from);
    bool good = false;
    if (from) {
        memcpy(from, bytes, sizeof *from);
        good = @id@_restore(&own->now.arm, &from->arm) == 0;
        if (good)
            own->now = *from;
        free(from);
    }
    return good;
}
