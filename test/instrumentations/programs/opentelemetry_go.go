package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/trace"
)

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// complete asks OpenAI's chat.
func complete(messages []message) (answer message, in int, out int, err error) {
	asked, _ := json.Marshal(map[string]any{"model": "gpt-4o", "messages": messages})
	response, err := http.Post(os.Getenv("OPENAI_BASE_URL")+"/chat/completions", "application/json", bytes.NewReader(asked))
	if err != nil {
		return
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	var said struct {
		Error   struct{ Message string }
		Choices []struct{ Message message }
		Usage   struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
		}
	}
	if err = json.Unmarshal(text, &said); err != nil {
		return
	}
	if response.StatusCode != http.StatusOK {
		err = errors.New(said.Error.Message)
		return
	}
	return said.Choices[0].Message, said.Usage.Prompt, said.Usage.Completion, nil
}

func main() {
	ctx := context.Background()
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		panic(err)
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter))
	defer provider.Shutdown(ctx)
	tracer := provider.Tracer("app")

	for _, question := range []string{"How is the weather in Paris?", "fail"} {
		ctx, root := tracer.Start(ctx, "answer")
		root.SetAttributes(attribute.String("session.id", "session-1"), attribute.String("user.id", "ann"))
		_, chat := tracer.Start(ctx, "chat gpt-4o")
		messages := []message{{"user", question}}
		input, _ := json.Marshal(messages)
		chat.SetAttributes(
			attribute.String("gen_ai.operation.name", "chat"),
			attribute.String("gen_ai.request.model", "gpt-4o"),
			attribute.String("gen_ai.input.messages", string(input)),
		)
		answer, in, out, err := complete(messages)
		if err != nil {
			chat.RecordError(err)
			chat.SetStatus(codes.Error, "")
		} else {
			output, _ := json.Marshal([]message{answer})
			chat.SetAttributes(
				attribute.String("gen_ai.output.messages", string(output)),
				attribute.Int("gen_ai.usage.input_tokens", in),
				attribute.Int("gen_ai.usage.output_tokens", out),
			)
		}
		chat.End()
		root.End()
	}
}
