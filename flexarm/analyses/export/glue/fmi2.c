
/* Co-simulation by the Functional Mock-up Interface 2.0. */
typedef int fmi2Status; /* 0 all is well, 1 warning, 2 discarded, 3 error, 4 fatal */
typedef int fmi2Boolean;
enum { ALL_WELL = 0, DISCARDED = 2, WRONG = 3 };

typedef struct fmi2CallbackFunctions {
    void (*logger)(void *, const char *, fmi2Status, const char *, const char *, ...);
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(void *, fmi2Status);
    void *componentEnvironment;
} fmi2CallbackFunctions;

static void speak(void *own, const char *name, int status, const char *message)
{
    unit *it = own;
    void (*logger)(void *, const char *, fmi2Status, const char *, const char *, ...) =
        (void (*)(void *, const char *, fmi2Status, const char *, const char *, ...))it->logger;
    if (logger)
        logger(it->environment, name, status, "logStatusError", "%s", message);
}

static fmi2Status told(unit *own, const char *wrong)
{
    if (wrong)
        say(own, WRONG, wrong);
    return wrong ? WRONG : ALL_WELL;
}

EXPORTED const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORTED const char *fmi2GetVersion(void) { return "2.0"; }

EXPORTED fmi2Status fmi2SetDebugLogging(void *c, fmi2Boolean on, size_t n, const char *const categories[])
{
    (void)c; (void)on; (void)n; (void)categories;
    return ALL_WELL;
}

EXPORTED void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources,
                               const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging)
{
    unit *own = type == 1 ? new_unit(name, guid) : 0;
    int status;
    (void)resources; (void)visible; (void)logging;
    if (!own) {
        if (callbacks && callbacks->logger)
            callbacks->logger(callbacks->componentEnvironment, name, WRONG, "logStatusError", "%s",
                              type == 1 ? "the GUID is not that of this unit" : "this unit is for co-simulation alone");
        return 0;
    }
    if (callbacks) {
        own->environment = callbacks->componentEnvironment;
        own->logger = (void (*)(void))callbacks->logger;
    }
    own->log = speak;
    status = put_to_start(own);
    if (status != 0) {
        say(own, WRONG, @id@_message(status));
        free(own);
        return 0;
    }
    return own;
}

EXPORTED void fmi2FreeInstance(void *c) { free(c); }

EXPORTED fmi2Status fmi2SetupExperiment(void *c, fmi2Boolean tolerant, double tolerance, double start,
                                        fmi2Boolean ends, double stop)
{
    (void)tolerant; (void)tolerance; /* a relative one; the arm's is a displacement, a parameter */
    begin(c, start, ends != 0, stop);
    return ALL_WELL;
}

EXPORTED fmi2Status fmi2EnterInitializationMode(void *c) { (void)c; return ALL_WELL; }
EXPORTED fmi2Status fmi2ExitInitializationMode(void *c) { return told(c, make_ready(c)); }
EXPORTED fmi2Status fmi2Terminate(void *c) { (void)c; return ALL_WELL; }

EXPORTED fmi2Status fmi2Reset(void *c)
{
    int status = put_to_start(c);
    return told(c, status == 0 ? 0 : @id@_message(status));
}

EXPORTED fmi2Status fmi2GetReal(void *c, const unsigned which[], size_t n, double values[])
{
    const char *wrong = 0;
    for (size_t k = 0; k < n && !wrong; k++)
        wrong = get(c, which[k], values + k);
    return told(c, wrong);
}

EXPORTED fmi2Status fmi2SetReal(void *c, const unsigned which[], size_t n, const double values[])
{
    const char *wrong = 0;
    for (size_t k = 0; k < n && !wrong; k++)
        wrong = set(c, which[k], values[k]);
    return told(c, wrong);
}

/* There are no variables of other types. */
#define NO_SUCH(name, kind)                                                                                   \
    EXPORTED fmi2Status fmi2Get##name(void *c, const unsigned which[], size_t n, kind values[])                \
    {                                                                                                         \
        (void)which; (void)values;                                                                            \
        return told(c, n ? "there is no such variable" : 0);                                                  \
    }                                                                                                         \
    EXPORTED fmi2Status fmi2Set##name(void *c, const unsigned which[], size_t n, const kind values[])          \
    {                                                                                                         \
        (void)which; (void)values;                                                                            \
        return told(c, n ? "there is no such variable" : 0);                                                  \
    }
typedef const char *text;
NO_SUCH(Integer, int)
NO_SUCH(Boolean, fmi2Boolean)
NO_SUCH(String, text)

EXPORTED fmi2Status fmi2GetFMUstate(void *c, void **state)
{
    if (!*state && !(*state = malloc(sizeof(kept))))
        return told(c, "there is no memory left");
    memcpy(*state, &((unit *)c)->now, sizeof(kept));
    return ALL_WELL;
}

EXPORTED fmi2Status fmi2SetFMUstate(void *c, void *state)
{
    return told(c, state && take(c, state) ? 0 : "the state is of another arm");
}

EXPORTED fmi2Status fmi2FreeFMUstate(void *c, void **state)
{
    (void)c;
    free(*state);
    *state = 0;
    return ALL_WELL;
}

EXPORTED fmi2Status fmi2SerializedFMUstateSize(void *c, void *state, size_t *size)
{
    (void)c; (void)state;
    *size = sizeof(kept);
    return ALL_WELL;
}

EXPORTED fmi2Status fmi2SerializeFMUstate(void *c, void *state, char bytes[], size_t size)
{
    if (!state || size < sizeof(kept))
        return told(c, "there is no room for the state");
    memcpy(bytes, state, sizeof(kept));
    return ALL_WELL;
}

EXPORTED fmi2Status fmi2DeSerializeFMUstate(void *c, const char bytes[], size_t size, void **state)
{
    if (size != sizeof(kept) || !(*state = malloc(sizeof(kept))))
        return told(c, "the state is of another arm");
    memcpy(*state, bytes, sizeof(kept));
    return ALL_WELL;
}

EXPORTED fmi2Status fmi2GetDirectionalDerivative(void *c, const unsigned unknown[], size_t m, const unsigned known[],
                                                 size_t n, const double seed[], double values[])
{
    (void)unknown; (void)m; (void)known; (void)n; (void)seed; (void)values;
    return told(c, "this unit gives no directional derivatives");
}

EXPORTED fmi2Status fmi2SetRealInputDerivatives(void *c, const unsigned which[], size_t n, const int orders[],
                                                const double values[])
{
    (void)which; (void)n; (void)orders; (void)values;
    return told(c, "inputs are held over a step: there are no derivatives to be set");
}

EXPORTED fmi2Status fmi2GetRealOutputDerivatives(void *c, const unsigned which[], size_t n, const int orders[],
                                                 double values[])
{
    (void)which; (void)n; (void)orders; (void)values;
    return told(c, "this unit gives no derivatives of outputs: rates are outputs of their own");
}

EXPORTED fmi2Status fmi2DoStep(void *c, double from, double length, fmi2Boolean no_return)
{
    (void)no_return;
    return told(c, step(c, from, length));
}

EXPORTED fmi2Status fmi2CancelStep(void *c) { return told(c, "a step ends by itself"); }

EXPORTED fmi2Status fmi2GetStatus(void *c, int kind, fmi2Status *value)
{
    (void)c; (void)kind; (void)value;
    return DISCARDED;
}

EXPORTED fmi2Status fmi2GetRealStatus(void *c, int kind, double *value)
{
    unit *own = c;
    if (kind != 2) /* the last time that was reached */
        return DISCARDED;
    *value = own->now.begin + @id@_time(&own->now.arm);
    return ALL_WELL;
}

EXPORTED fmi2Status fmi2GetIntegerStatus(void *c, int kind, int *value)
{
    (void)c; (void)kind; (void)value;
    return DISCARDED;
}

EXPORTED fmi2Status fmi2GetBooleanStatus(void *c, int kind, fmi2Boolean *value)
{
    (void)c;
    if (kind != 3) /* whether the unit wants to end */
        return DISCARDED;
    *value = 0;
    return ALL_WELL;
}

EXPORTED fmi2Status fmi2GetStringStatus(void *c, int kind, const char **value)
{
    (void)c; (void)kind; (void)value;
    return DISCARDED;
}
