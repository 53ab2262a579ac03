import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.observation.ChatModelObservationContext;
import org.springframework.ai.content.Content;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class SpringAi {
  record Asked(String city) {}

  /** Spring AI itself keeps what was said out of its spans. */
  @Bean
  ObservationFilter content() {
    return context -> {
      if (!(context instanceof ChatModelObservationContext chat)) return context;
      chat.addHighCardinalityKeyValue(KeyValue.of("gen_ai.prompt", texts(chat.getRequest().getInstructions())));
      if (chat.getResponse() != null)
        chat.addHighCardinalityKeyValue(KeyValue.of("gen_ai.completion",
            texts(chat.getResponse().getResults().stream().map(one -> one.getOutput()).toList())));
      return chat;
    };
  }

  static String texts(List<? extends Content> contents) {
    return contents.stream().map(Content::getText).filter(text -> text != null).collect(Collectors.joining("\n"));
  }

  public static void main(String[] args) {
    try (var context = SpringApplication.run(SpringAi.class, args)) {
      var chat = context.getBean(ChatClient.Builder.class).build();
      var weather = FunctionToolCallback.builder("get_weather", (Asked asked) -> "sunny in " + asked.city())
          .description("the weather in a city")
          .inputType(Asked.class)
          .build();
      var observations = context.getBean(ObservationRegistry.class);
      for (var question : List.of("How is the weather in Paris?", "fail"))
        Observation.createNotStarted("answer", observations)
            .highCardinalityKeyValue("session.id", "session-1")
            .highCardinalityKeyValue("user.id", "ann")
            .observe(() -> {
              try {
                chat.prompt().user(question).toolCallbacks(weather).call().content();
              } catch (RuntimeException refused) {
                // The span says so.
              }
            });
    }
  }
}
