import { type CrudCalls, Store } from '#kernel';

/** Row of a list about which the operator asks who can see it. */
export interface AskedRow {
  readonly crud: CrudCalls;
  readonly id: string;
  readonly title: string;
}

/** Row whose explanation is open beside its list. */
export class WhyStore extends Store<{ readonly asked: AskedRow | undefined }> {
  constructor() {
    super({ asked: undefined });
  }

  ask(asked: AskedRow | undefined): void {
    this.set({ asked });
  }
}
