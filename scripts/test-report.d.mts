interface Outcome {
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly { readonly name: string; readonly message: string }[];
  readonly secondAttempts: readonly string[];
}

export declare function rstestOutcome(report: object): Outcome;
export declare function playwrightOutcome(report: object): Outcome;
