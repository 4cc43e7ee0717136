import { defineServerPlugin } from '#server';
import { serveOwnSessions } from './own-sessions.ts';
import { protectionStep } from './setup-step.ts';

/** Account: the user's own sessions, and the step of the setup checklist that protects the account. The kernel serves what sign-in needs too. */
export default defineServerPlugin({
  id: 'account',
  title: ['个人中心', 'Account'],
  core: true,

  routes(context) {
    serveOwnSessions(context);
    context.figures.register(protectionStep(context));
  },
});
