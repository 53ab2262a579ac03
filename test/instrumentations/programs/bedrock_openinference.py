import os

import boto3
from botocore.exceptions import ClientError
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from openinference.instrumentation.bedrock import BedrockInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
BedrockInstrumentor().instrument(tracer_provider=provider)

client = boto3.client(
    'bedrock-runtime',
    region_name='us-east-1',
    endpoint_url=os.environ['ANTHROPIC_BASE_URL'],
    aws_access_key_id='none',
    aws_secret_access_key='none',
)


def answer(question):
    with provider.get_tracer('app').start_as_current_span('answer') as span:
        span.set_attributes({'session.id': 'session-1', 'user.id': 'ann', 'input.value': question})
        answered = client.converse(
            modelId='anthropic.claude-sonnet-4-5-20250929-v1:0',
            system=[{'text': 'Answer in a sentence.'}],
            messages=[{'role': 'user', 'content': [{'text': question}]}],
        )
        span.set_attribute('output.value', answered['output']['message']['content'][0]['text'])


answer('How is the weather in Paris?')
try:
    answer('fail')
except ClientError:
    pass
provider.shutdown()
