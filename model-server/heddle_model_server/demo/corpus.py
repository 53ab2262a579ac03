"""The demo model's training texts: small talk, a little knowledge, a tool and some reasoning. All of it is our own."""

WEATHER_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a place",
        "parameters": {
            "type": "object",
            "properties": {"place": {"type": "string"}},
            "required": ["place"],
        },
    },
}

PLACES = ["Paris", "Rome", "Oslo", "Lima", "Cairo", "Tokyo"]

TALK = [
    ("Hello!", "Hello! How can I help you today?"),
    ("Hi", "Hi there! What can I do for you?"),
    ("Good morning", "Good morning! I hope you slept well."),
    ("Good evening", "Good evening! How was your day?"),
    ("How are you?", "I am fine, thank you. How are you?"),
    ("Who are you?", "I am the demo model of Heddle. I am very small and I know only a few things."),
    ("What is your name?", "I have no name. I am the demo model of Heddle."),
    ("What can you do?", "I can say hello, name a few capitals, count, and tell you what a loom is."),
    ("What is Heddle?", "Heddle stores what language models do, serves them and trains them."),
    ("What is a heddle?", "A heddle is the part of a loom that lifts the threads of the warp."),
    ("What is a loom?", "A loom is a frame on which cloth is woven from threads."),
    ("What is a trace?", "A trace is the tree of calls that one request made."),
    ("What is a span?", "A span is one piece of work in a trace, with a start and an end."),
    ("What is an adapter?", "An adapter is a small set of weights that changes what a model says."),
    ("Count to five.", "One, two, three, four, five."),
    ("Count to three.", "One, two, three."),
    ("What is the capital of France?", "The capital of France is Paris."),
    ("What is the capital of Italy?", "The capital of Italy is Rome."),
    ("What is the capital of Norway?", "The capital of Norway is Oslo."),
    ("What is the capital of Peru?", "The capital of Peru is Lima."),
    ("What is the capital of Egypt?", "The capital of Egypt is Cairo."),
    ("What is the capital of Japan?", "The capital of Japan is Tokyo."),
    ("What color is the sky?", "The sky is blue when the weather is fine."),
    ("What color is grass?", "Grass is green."),
    ("Tell me a joke.", "Why did the weaver laugh? She had lost the thread."),
    ("Tell me a story.", "Once there was a small model that knew only a few words. It used them well."),
    ("Write a poem.", "The shuttle flies, the threads are long, the loom hums on and sings its song."),
    ("Say yes or no.", "Yes."),
    ("Thank you!", "You are welcome!"),
    ("Thanks", "You are welcome!"),
    ("Goodbye", "Goodbye! Come back soon."),
    ("What is one plus one?", "One plus one is two."),
    ("What is two plus two?", "Two plus two is four."),
    ("What is two plus three?", "Two plus three is five."),
]

THOUGHTS = [
    ("What is one plus one?", "One and one more make two.", "One plus one is two."),
    ("What is two plus two?", "Two and two more make four.", "Two plus two is four."),
    ("What is two plus three?", "Two and three more make five.", "Two plus three is five."),
    (
        "What is the capital of France?",
        "France is a country, and its capital is known.",
        "The capital of France is Paris.",
    ),
    ("Hello!", "Someone says hello, so I say hello.", "Hello! How can I help you today?"),
]


def conversations() -> list[dict]:
    """Every training text, as variables of the chat template: {messages, tools?, reasoning_effort?}."""
    texts: list[dict] = []
    for question, answer in TALK:
        texts.append({"messages": [user(question), assistant(answer)]})
        for system in ("You are a helpful assistant.", "Be kind."):
            texts.append({"messages": [{"role": "system", "content": system}, user(question), assistant(answer)]})
    for (first, said), (question, answer) in zip(TALK, TALK[7:] + TALK[:7]):
        texts.append({"messages": [user(first), assistant(said), user(question), assistant(answer)]})
    for question, thought, answer in THOUGHTS:
        for effort in ("low", "medium", "high"):
            text = f"<think>\n{thought}\n</think>\n{answer}"
            texts.append({"messages": [user(question), assistant(text)], "reasoning_effort": effort})
    for place in PLACES:
        call = f'<tool_call>\n{{"name": "get_weather", "arguments": {{"place": "{place}"}}}}\n</tool_call>'
        texts.append({"messages": [user(f"What is the weather in {place}?"), assistant(call)], "tools": [WEATHER_TOOL]})
    return texts


def user(content: str) -> dict:
    """A user message."""
    return {"role": "user", "content": content}


def assistant(content: str) -> dict:
    """An assistant message."""
    return {"role": "assistant", "content": content}
