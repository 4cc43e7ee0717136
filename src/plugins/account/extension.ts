import { type IconName, type Panel, slot } from '#kernel';
import type { LocalizedText } from '#shared/text';

/** A section of the account page. */
export interface AccountSection extends Pick<Panel, 'title' | 'load'> {
  readonly icon: IconName;
  /** Help text below the heading. */
  readonly hint?: LocalizedText;
}

/** Slot for sections of the account page, shown above the list of sessions. */
export const AccountSections = slot<AccountSection>('account:sections');
