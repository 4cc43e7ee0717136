import { BehaviorSubject, distinctUntilChanged, map } from 'rxjs';

interface PendingProof {
  readonly answer: Promise<boolean>;
  readonly settle: (isProven: boolean) => void;
}

/** Asks the user to confirm their identity when the server requires it for a call. All calls that wait at the same time share one dialog. */
export class ProofPrompt {
  private readonly pending$ = new BehaviorSubject<PendingProof | undefined>(undefined);
  /** True while the dialog is shown. */
  readonly isOpen$ = this.pending$.pipe(
    map((pending) => pending !== undefined),
    distinctUntilChanged(),
  );

  /** Resolves true once the identity is confirmed, and false when the user cancels or the session ends. */
  ask(): Promise<boolean> {
    const { value } = this.pending$;
    if (value) return value.answer;
    let settle: PendingProof['settle'] = () => undefined;
    const answer = new Promise<boolean>((resolve) => (settle = resolve));
    this.pending$.next({ answer, settle });
    return answer;
  }

  /** Closes the dialog and answers the calls that wait. */
  close(isProven: boolean): void {
    const { value } = this.pending$;
    this.pending$.next(undefined);
    value?.settle(isProven);
  }
}
