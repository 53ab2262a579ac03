"""A GPU node of Heddle: loads one base model and generates for many callers at once, with any number of LoRA adapters."""
