import { crudRoutes, defineServerPlugin, repositoryOf, route } from '#server';
import { Registration, registration, registrationChoices, SmsOutboxMessage, SocialApp, smsOutbox, socialApp } from '../contract.ts';
import { registrationMenu, smsOutboxMenu, socialAppMenu } from '../menus.ts';
import { depts, grantableRoles } from './choices.ts';
import { approve, refuse } from './decisions.ts';

/** Sign-in: identity providers, registration requests, and text messages that were stored instead of sent. */
export default defineServerPlugin({
  id: 'sign-in',
  title: ['登录管理', 'Sign-in'],
  menus: [socialAppMenu, registrationMenu, smsOutboxMenu],

  setup({ db }) {
    const registrations = repositoryOf(db, Registration);
    const outbox = repositoryOf(db, SmsOutboxMessage);

    return {
      routes: [
        crudRoutes(socialApp, repositoryOf(db, SocialApp, { unique: [{ fields: ['source'] }] })),
        route(registration.list, ({ input }) => registrations.page(input)),
        route(registration.detail, ({ input }) => registrations.detail(input.id)),
        route(registration.approve, async (request) => {
          await approve(db, request);
          return registrations.detail(request.input.id);
        }),
        route(registration.refuse, async (request) => {
          await refuse(db, request);
          return registrations.detail(request.input.id);
        }),
        route(registrationChoices.roles, ({ principal }) => grantableRoles(db, principal)),
        route(registrationChoices.depts, () => depts(db)),
        route(smsOutbox.list, ({ input }) => outbox.page(input)),
      ],
    };
  },
});
