/** Formats an amount in cents as yuan with two decimals, for messages: 1234 is `12.34`. */
export const formatYuan = (cents: number): string => (cents / 100).toFixed(2);
