import type { Texts } from '../../texts.ts';

export const errors: Texts['errors'] = {
  forbiddenTitle: 'You do not have access to this page',
  forbidden: 'Your role does not include this page. Ask an administrator if you need it.',
  notFoundTitle: 'Page not found',
  notFound: 'The address does not exist, or the page has moved.',
  brokenTitle: 'Something went wrong',
  broken: 'Try again later. If it keeps happening, tell an administrator.',
  backHome: 'Back to home',
  explain: 'Why?',
  retry: 'Try again',
  pageTitle: 'Could not show this page',
  page: 'Something in “{plugin}” failed. Other pages are not affected.',
  part: 'What “{plugin}” shows here has failed.',
  chunkTitle: 'Could not load the page',
  chunk: 'The network may be down, or the console has just been updated. Try again.',
  copyDetails: 'Copy details',
  copied: 'Copied',
  details: 'Details',
  menuFailedTitle: 'Could not load the menu',
  unclaimedTitle: 'This feature is not installed',
  unclaimed: 'No installed plugin provides the menu entry “{name}” (code {code}). Ask an administrator to install one or to remove the entry.',
};
