"""Arms as environments of Gymnasium: `gymnasium.make("flexarm.analyses.gym.reach:flexarm/Reach-v0", arm=…)`."""
