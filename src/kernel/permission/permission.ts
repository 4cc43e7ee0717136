import type { Observable } from 'rxjs';

/** What the signed-in user may do, as one observable policy. Courtesy only: the server decides again. */
export abstract class Permission {
  /** Emits a new set whenever the granted codes change; pages and buttons share one namespace. */
  abstract readonly codes$: Observable<ReadonlySet<string>>;
  abstract may(code: string): boolean;
  /** Asks the server again; what was last known counts until it has answered. */
  abstract load(): Promise<void>;
  /** False while `is_admin` is greater than 0: what is marked for administrators is not rendered. */
  abstract readonly isAdministrator$: Observable<boolean>;
}
