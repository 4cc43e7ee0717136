import type { Texts } from '../../texts.ts';

export const navigation: Texts['navigation'] = {
  sections: 'Sections',
  more: 'More',
  refusedTitle: '“{title}” cannot be shown here',
  refused:
    'For security, only pages from allowed origins can be shown here, and {origin} is not one of them. Open it in a new window, or ask an administrator to allow it.',
  openWindow: 'Open in a new window',
};
