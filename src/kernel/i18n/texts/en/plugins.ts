import type { Texts } from '../../texts.ts';

/** In English: safe mode, and plugins that are switched off. */
export const plugins: Texts['plugins'] = {
  switchedOff: 'An administrator has switched the plugin “{plugin}” off',
  safeTitle: 'Safe mode',
  safeAddress: 'Core plugins alone run. Everything else is away for now.',
  safeServer: 'The server has started core plugins alone. Restart it without SAFE_MODE or --safe to leave.',
  safeLeave: 'Leave safe mode',
};
