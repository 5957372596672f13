
/* Co-simulation by the Functional Mock-up Interface 3.0. */
typedef int fmi3Status; /* 0 all is well, 1 warning, 2 discarded, 3 error, 4 fatal */
enum { ALL_WELL = 0, WRONG = 3 };
typedef void (*fmi3LogMessageCallback)(void *, fmi3Status, const char *, const char *);
typedef const char *text;
typedef const uint8_t *binary;

static void speak(void *own, const char *name, int status, const char *message)
{
    unit *it = own;
    fmi3LogMessageCallback logger = (fmi3LogMessageCallback)it->logger;
    (void)name;
    if (logger)
        logger(it->environment, status, "logStatusError", message);
}

static fmi3Status told(unit *own, const char *wrong)
{
    if (wrong)
        say(own, WRONG, wrong);
    return wrong ? WRONG : ALL_WELL;
}

EXPORTED const char *fmi3GetVersion(void) { return "3.0"; }

EXPORTED fmi3Status fmi3SetDebugLogging(void *c, bool on, size_t n, const text categories[])
{
    (void)c; (void)on; (void)n; (void)categories;
    return ALL_WELL;
}

EXPORTED void *fmi3InstantiateModelExchange(text name, text token, text resources, bool visible, bool logging,
                                            void *environment, fmi3LogMessageCallback logger)
{
    (void)name; (void)token; (void)resources; (void)visible; (void)logging;
    if (logger)
        logger(environment, WRONG, "logStatusError", "this unit is for co-simulation alone");
    return 0;
}

EXPORTED void *fmi3InstantiateScheduledExecution(text name, text token, text resources, bool visible, bool logging,
                                                 void *environment, fmi3LogMessageCallback logger,
                                                 void (*clock)(void *), void (*lock)(void), void (*unlock)(void))
{
    (void)clock; (void)lock; (void)unlock;
    return fmi3InstantiateModelExchange(name, token, resources, visible, logging, environment, logger);
}

EXPORTED void *fmi3InstantiateCoSimulation(text name, text token, text resources, bool visible, bool logging,
                                           bool events, bool early, const uint32_t needed[], size_t n,
                                           void *environment, fmi3LogMessageCallback logger,
                                           void (*update)(void *, double, bool, bool, bool, bool, bool *, double *))
{
    unit *own = new_unit(name, token);
    int status;
    (void)resources; (void)visible; (void)logging; (void)events; (void)early; (void)needed; (void)n; (void)update;
    if (!own) {
        if (logger)
            logger(environment, WRONG, "logStatusError", "the instantiation token is not that of this unit");
        return 0;
    }
    own->environment = environment;
    own->logger = (void (*)(void))logger;
    own->log = speak;
    status = put_to_start(own);
    if (status != 0) {
        say(own, WRONG, @id@_message(status));
        free(own);
        return 0;
    }
    return own;
}

EXPORTED void fmi3FreeInstance(void *c) { free(c); }

EXPORTED fmi3Status fmi3EnterInitializationMode(void *c, bool tolerant, double tolerance, double start, bool ends,
                                                double stop)
{
    (void)tolerant; (void)tolerance; /* a relative one; the arm's is a displacement, a parameter */
    begin(c, start, ends, stop);
    return ALL_WELL;
}

EXPORTED fmi3Status fmi3ExitInitializationMode(void *c) { return told(c, make_ready(c)); }
EXPORTED fmi3Status fmi3Terminate(void *c) { (void)c; return ALL_WELL; }

EXPORTED fmi3Status fmi3Reset(void *c)
{
    int status = put_to_start(c);
    return told(c, status == 0 ? 0 : @id@_message(status));
}

EXPORTED fmi3Status fmi3GetFloat64(void *c, const uint32_t which[], size_t n, double values[], size_t m)
{
    const char *wrong = n == m ? 0 : "every variable has one value";
    for (size_t k = 0; k < n && !wrong; k++)
        wrong = get(c, which[k], values + k);
    return told(c, wrong);
}

EXPORTED fmi3Status fmi3SetFloat64(void *c, const uint32_t which[], size_t n, const double values[], size_t m)
{
    const char *wrong = n == m ? 0 : "every variable has one value";
    for (size_t k = 0; k < n && !wrong; k++)
        wrong = set(c, which[k], values[k]);
    return told(c, wrong);
}

/* There are no variables of other types. */
#define NO_SUCH(name, kind)                                                                                        \
    EXPORTED fmi3Status fmi3Get##name(void *c, const uint32_t which[], size_t n, kind values[], size_t m)           \
    {                                                                                                              \
        (void)which; (void)values; (void)m;                                                                        \
        return told(c, n ? "there is no such variable" : 0);                                                       \
    }                                                                                                              \
    EXPORTED fmi3Status fmi3Set##name(void *c, const uint32_t which[], size_t n, const kind values[], size_t m)     \
    {                                                                                                              \
        (void)which; (void)values; (void)m;                                                                        \
        return told(c, n ? "there is no such variable" : 0);                                                       \
    }
NO_SUCH(Float32, float)
NO_SUCH(Int8, int8_t)
NO_SUCH(UInt8, uint8_t)
NO_SUCH(Int16, int16_t)
NO_SUCH(UInt16, uint16_t)
NO_SUCH(Int32, int32_t)
NO_SUCH(UInt32, uint32_t)
NO_SUCH(Int64, int64_t)
NO_SUCH(UInt64, uint64_t)
NO_SUCH(Boolean, bool)
NO_SUCH(String, text)

EXPORTED fmi3Status fmi3GetBinary(void *c, const uint32_t which[], size_t n, size_t sizes[], binary values[], size_t m)
{
    (void)which; (void)sizes; (void)values; (void)m;
    return told(c, n ? "there is no such variable" : 0);
}

EXPORTED fmi3Status fmi3SetBinary(void *c, const uint32_t which[], size_t n, const size_t sizes[],
                                  const binary values[], size_t m)
{
    (void)which; (void)sizes; (void)values; (void)m;
    return told(c, n ? "there is no such variable" : 0);
}

EXPORTED fmi3Status fmi3GetClock(void *c, const uint32_t which[], size_t n, bool values[])
{
    (void)which; (void)values;
    return told(c, n ? "there is no such variable" : 0);
}

EXPORTED fmi3Status fmi3SetClock(void *c, const uint32_t which[], size_t n, const bool values[])
{
    (void)which; (void)values;
    return told(c, n ? "there is no such variable" : 0);
}

EXPORTED fmi3Status fmi3GetFMUState(void *c, void **state)
{
    if (!*state && !(*state = malloc(sizeof(kept))))
        return told(c, "there is no memory left");
    memcpy(*state, &((unit *)c)->now, sizeof(kept));
    return ALL_WELL;
}

EXPORTED fmi3Status fmi3SetFMUState(void *c, void *state)
{
    return told(c, state && take(c, state) ? 0 : "the state is of another arm");
}

EXPORTED fmi3Status fmi3FreeFMUState(void *c, void **state)
{
    (void)c;
    free(*state);
    *state = 0;
    return ALL_WELL;
}

EXPORTED fmi3Status fmi3SerializedFMUStateSize(void *c, void *state, size_t *size)
{
    (void)c; (void)state;
    *size = sizeof(kept);
    return ALL_WELL;
}

EXPORTED fmi3Status fmi3SerializeFMUState(void *c, void *state, uint8_t bytes[], size_t size)
{
    if (!state || size < sizeof(kept))
        return told(c, "there is no room for the state");
    memcpy(bytes, state, sizeof(kept));
    return ALL_WELL;
}

EXPORTED fmi3Status fmi3DeserializeFMUState(void *c, const uint8_t bytes[], size_t size, void **state)
{
    if (size != sizeof(kept) || !(*state = malloc(sizeof(kept))))
        return told(c, "the state is of another arm");
    memcpy(*state, bytes, sizeof(kept));
    return ALL_WELL;
}

EXPORTED fmi3Status fmi3DoStep(void *c, double from, double length, bool no_return, bool *events, bool *ends,
                               bool *early, double *reached)
{
    unit *own = c;
    const char *wrong = step(own, from, length);
    (void)no_return;
    *events = *ends = *early = false;
    *reached = own->now.begin + @id@_time(&own->now.arm);
    if (!wrong)
        *reached = from + length;
    return told(own, wrong);
}

/* What this unit does not have: events, clocks, continuous states, derivatives. */
#define NONE(name, ...)                                                                        \
    EXPORTED fmi3Status fmi3##name(void *c, __VA_ARGS__) { return told(c, "this unit has no such function: " #name); }
#define NONE_AT_ALL(name)                                                                      \
    EXPORTED fmi3Status fmi3##name(void *c) { return told(c, "this unit has no such function: " #name); }
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
NONE_AT_ALL(EnterEventMode)
NONE_AT_ALL(EnterConfigurationMode)
NONE_AT_ALL(ExitConfigurationMode)
NONE_AT_ALL(EvaluateDiscreteStates)
NONE_AT_ALL(EnterContinuousTimeMode)
NONE_AT_ALL(EnterStepMode)
NONE(GetNumberOfVariableDependencies, uint32_t which, size_t *n)
NONE(GetVariableDependencies, uint32_t which, size_t a[], uint32_t b[], size_t d[], int kinds[], size_t n)
NONE(GetDirectionalDerivative, const uint32_t a[], size_t i, const uint32_t b[], size_t j, const double seed[],
     size_t k, double values[], size_t n)
NONE(GetAdjointDerivative, const uint32_t a[], size_t i, const uint32_t b[], size_t j, const double seed[], size_t k,
     double values[], size_t n)
NONE(GetIntervalDecimal, const uint32_t which[], size_t n, double intervals[], int qualifiers[])
NONE(GetIntervalFraction, const uint32_t which[], size_t n, uint64_t a[], uint64_t b[], int qualifiers[])
NONE(GetShiftDecimal, const uint32_t which[], size_t n, double shifts[])
NONE(GetShiftFraction, const uint32_t which[], size_t n, uint64_t a[], uint64_t b[])
NONE(SetIntervalDecimal, const uint32_t which[], size_t n, const double intervals[])
NONE(SetIntervalFraction, const uint32_t which[], size_t n, const uint64_t a[], const uint64_t b[])
NONE(SetShiftDecimal, const uint32_t which[], size_t n, const double shifts[])
NONE(SetShiftFraction, const uint32_t which[], size_t n, const uint64_t a[], const uint64_t b[])
NONE(UpdateDiscreteStates, bool *a, bool *b, bool *d, bool *e, bool *f, double *next)
NONE(CompletedIntegratorStep, bool no_return, bool *enter, bool *ends)
NONE(SetTime, double t)
NONE(SetContinuousStates, const double x[], size_t n)
NONE(GetContinuousStateDerivatives, double x[], size_t n)
NONE(GetEventIndicators, double x[], size_t n)
NONE(GetContinuousStates, double x[], size_t n)
NONE(GetNominalsOfContinuousStates, double x[], size_t n)
NONE(GetNumberOfEventIndicators, size_t *n)
NONE(GetNumberOfContinuousStates, size_t *n)
NONE(GetOutputDerivatives, const uint32_t which[], size_t n, const int32_t orders[], double values[], size_t m)
NONE(ActivateModelPartition, uint32_t clock, double t)
