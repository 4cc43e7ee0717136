export function withWorkFolder<Result>(work: (folder: string) => Promise<Result> | Result): Promise<Result>;
export function moveTogether<Result>(
  moves: readonly { readonly from: string; readonly to: string }[],
  complete?: () => Promise<Result> | Result,
): Promise<Result>;
