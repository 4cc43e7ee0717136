import type { Texts } from '../shape.ts';

export const navigation: Texts['navigation'] = {
  sections: 'Sections',
  more: 'More',
  refusedTitle: '“{title}” cannot be shown here',
  refused:
    'For security, only pages from allowed origins can be embedded, and {origin} is not allowed. The page opens in a new window instead; if it does not, use the button below. To embed it, ask an administrator to add the origin to “frames” in the deployment manifest or the CONSOLE_SETTINGS file.',
  openWindow: 'Open in a new window',
};
