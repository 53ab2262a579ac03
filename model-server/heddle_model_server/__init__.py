"""A GPU node of Heddle: loads one model once and generates for many callers at once, over any number of adapters.
Knows nothing of HTTP, queues, databases or tenants."""

__version__ = "0.1.0"
