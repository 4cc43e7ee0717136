import type { Observable } from 'rxjs';

/** Permissions of the signed-in user as one observable policy. It only hides controls; the server decides again. */
export abstract class Permission {
  /** Emits a new set whenever the granted codes change; pages and buttons share one namespace. */
  abstract readonly codes$: Observable<ReadonlySet<string>>;
  abstract may(code: string): boolean;
  /** Fetches the codes again; the last known ones count until the server has answered. */
  abstract load(): Promise<void>;
  /** False while `is_admin` is greater than 0: elements marked for administrators are not rendered then. */
  abstract readonly isAdministrator$: Observable<boolean>;
}
