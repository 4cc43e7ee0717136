import type { Words } from '#shared/text';

/** What only the console says of money. */
export const words = {
  check: ['核对账目', 'Check'],
  sound: ['账目平衡', 'Everything adds up'],
  faults: ['发现 {count} 处不平，请查看对账', '{count} figures do not add up. See the reconciliation'],
} as const satisfies Record<string, Words>;
