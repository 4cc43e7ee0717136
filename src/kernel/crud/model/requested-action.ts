import { Store } from '../../base/store/store.ts';

/** An action on a record that was selected outside of its list. */
export interface ActionRequest {
  /** Code of the page that lists the record. */
  readonly menu: string;
  readonly entity: string;
  readonly id: string;
  /** Permission code of the button. */
  readonly code: string;
}

/** Holds an action that was selected outside of its list until this list opens and runs it. It is not part of the address, because opening a link must not run an action. */
export class RequestedAction extends Store<{ readonly request: ActionRequest | undefined }> {
  constructor() {
    super({ request: undefined });
  }

  ask(request: ActionRequest): void {
    this.set({ request });
  }

  /** Returns the request for a list and forgets it. */
  take(menu: string, entity: string): ActionRequest | undefined {
    const { request } = this.state;
    if (request?.menu !== menu || request.entity !== entity) return undefined;
    this.set({ request: undefined });
    return request;
  }
}
