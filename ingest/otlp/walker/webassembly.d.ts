/** What is used of WebAssembly: the compiler's types have it only among those of browsers. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
  class Global {
    readonly value: unknown
  }
  class RuntimeError extends Error {}
  interface Memory {
    readonly buffer: ArrayBuffer
  }
}
