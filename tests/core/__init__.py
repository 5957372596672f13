"""The engine: identities, conservation, orders, exact answers, failures."""
