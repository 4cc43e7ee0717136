/** Formats an amount in 分 as yuan with two decimals, for messages. */
export const yuan = (fen: number): string => (fen / 100).toFixed(2);
