import { type IconName, type Panel, slot } from '#kernel';
import type { LocalizedText } from '#shared/text';

/** A section of the account page. */
export interface AccountSection extends Pick<Panel, 'title' | 'load'> {
  readonly icon: IconName;
  /** Sentence below the heading. */
  readonly hint?: LocalizedText;
}

/** Sections that plugins add to the account page, before the list of sessions. */
export const AccountSections = slot<AccountSection>('account:sections');
