/* Runs the arm for @seconds@ s and prints what is seen of it:
       cc example.c lib@id@.a -lm -o example && ./example */
#include "@id@.h"
#include <stdio.h>

int main(void)
{
    static @id@ arm;
    int status = @id@_reset(&arm);
    for (int k = 0; k < @periods@ && status == 0; k++) {
@setting@        status = @id@_advance(&arm, @ID@_PERIOD);
    }
    if (status != 0) {
        fprintf(stderr, "stopped at %g s: %s\n", @id@_time(&arm), @id@_message(status));
        return 1;
    }
    printf("time %.17g s\n", @id@_time(&arm));
    for (int k = 0; k < @ID@_OUTPUTS; k++)
        printf("%s %.17g %s\n", @id@_output_names[k], @id@_read(&arm, k), @id@_output_units[k]);
    return 0;
}
