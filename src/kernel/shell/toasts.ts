/** Short words to the operator that go by themselves. */
export abstract class Toasts {
  abstract success(text: string): void;
  abstract info(text: string): void;
  abstract warning(text: string): void;
  abstract error(text: string): void;
}
