import { defineServerPlugin } from '#server';
import { ownSessionRoutes } from './own-sessions.ts';
import { protectionStep } from './setup-step.ts';

/** Account: the user's own sessions, and the step of the setup checklist that protects the account. The kernel serves what sign-in needs too. */
export default defineServerPlugin({
  id: 'account',
  title: ['个人中心', 'Account'],
  core: true,

  setup: (context) => ({ routes: ownSessionRoutes(context.db), figures: [protectionStep(context)] }),
});
