/* @title@
   made by flexarm @version@ for @platform@; nothing but libc and libm is needed, no Python.

   An arm is a struct of numbers that you own. It holds no pointer: copy it, store it, send it elsewhere. Nothing is
   allocated and nothing is global, so that any number of arms run side by side, each in one thread at a time.

   Functions that return int return 0 if all is well, else a status: see @id@_message. SI units: m, rad, N, N m, s. */
#ifndef @ID@_H
#define @ID@_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define @ID@_COORDINATES @coordinates@
#define @ID@_INPUTS @inputs@
#define @ID@_OUTPUTS @outputs@
/* The usual period and the end of a run under the arm's own commands (0: it has none), s. */
#define @ID@_PERIOD @period@
#define @ID@_END @end@

#ifndef @ID@_API
#define @ID@_API __attribute__((visibility("default")))
#endif

typedef struct @id@ {
    double numbers[@numbers@];
    int64_t counts[@counts@];
} @id@;

@tables@
/* Put the arm where it starts, at 0 s. */
@ID@_API int @id@_reset(@id@ *arm);

/* How it is run, from the start on: end of the run (s; of use where the arm runs under its own commands), displacement
   error that step control keeps (m), fixed step (s; 0: step control). */
@ID@_API int @id@_configure(@id@ *arm, double end, double tolerance, double step);

/* Another start of a coordinate that no motion drives: its place (rad, m) and rate, before the first period. */
@ID@_API int @id@_start_at(@id@ *arm, int coordinate, double position, double rate);
@ID@_API double @id@_start_position(const @id@ *arm, int coordinate);
@ID@_API double @id@_start_rate(const @id@ *arm, int coordinate);

/* The inputs, held until they are set anew. */
@ID@_API int @id@_set(@id@ *arm, int input, double value);
@ID@_API double @id@_get(const @id@ *arm, int input);

/* Go on by a period, or to a time, s. Equal periods are counted, not added up. */
@ID@_API int @id@_advance(@id@ *arm, double period);
@ID@_API int @id@_advance_to(@id@ *arm, double time);
@ID@_API double @id@_time(const @id@ *arm);
@ID@_API int @id@_status(const @id@ *arm);

/* What is seen at the present time. */
@ID@_API double @id@_read(@id@ *arm, int output);
@ID@_API void @id@_read_all(@id@ *arm, double *outputs);

/* Everything the arm holds, as @id@_size() bytes; it goes on from them with the same bits. A state of another arm is
   refused. */
@ID@_API size_t @id@_size(void);
@ID@_API void @id@_save(const @id@ *arm, void *to);
@ID@_API int @id@_restore(@id@ *arm, const void *from);

/* What a status means. */
@ID@_API const char *@id@_message(int status);

#ifdef __cplusplus
}
#endif
#endif
