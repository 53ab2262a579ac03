import dspy
from openinference.instrumentation import using_attributes
from openinference.instrumentation.dspy import DSPyInstrumentor
from openinference.instrumentation.litellm import LiteLLMInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
DSPyInstrumentor().instrument(tracer_provider=provider)
LiteLLMInstrumentor().instrument(tracer_provider=provider)


class Plain(dspy.ChatAdapter):
    """Asks the question as it is, and takes the whole answer."""

    def format(self, signature, demos, inputs):
        return [{'role': 'user', 'content': inputs['question']}]

    def parse(self, signature, completion):
        return {'answer': completion}


lm = dspy.LM('openai/gpt-4o', cache=False, num_retries=0)
dspy.configure(lm=lm, adapter=Plain(use_json_adapter_fallback=False))
weather = dspy.Predict('question -> answer')

with using_attributes(session_id='session-1', user_id='ann'):
    weather(question='How is the weather in Paris?')
    try:
        weather(question='fail')
    except Exception:
        pass
provider.shutdown()
