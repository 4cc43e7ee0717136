import { filter } from '../contract/contract.ts';
import type { LocalizedText } from '../text/text.ts';

/** Something that a tenant owns: the number of items and their worth. */
export interface TenantHolding {
  readonly title: LocalizedText;
  readonly count: number;
  /** Amount in 分 (cents). */
  readonly amount?: number;
}

/** Filter that runs as the platform before a tenant is deleted: plugins add what the tenant owns in their tables. */
export const TenantHoldings = filter<{ readonly tenantId: string; readonly holdings: readonly TenantHolding[] }>('tenant:holdings');
