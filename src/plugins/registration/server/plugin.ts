import { defineServerPlugin, Passwords, repositoryOf, route, SignInPort, searchSource, signInRoute } from '#server';
import { Registration, refusedDays, registration, registrationChoices } from '../contract.ts';
import { registerGuest } from '../guest-contract.ts';
import { registrationMenu } from '../menus.ts';
import { registrationApproved } from '../webhook-contract.ts';
import { approve, departmentOptions, refuse, roleOptions } from './decisions.ts';
import { pendingFigures } from './pending-figures.ts';
import { personalData } from './personal-data.ts';
import { RegistrationService } from './registration-service.ts';

/** Registration: requests for an account, by visitors and by holders of external identities, and the decisions about them. */
export default defineServerPlugin({
  id: 'registration',
  title: ['注册审核', 'Registration'],
  parameters: [refusedDays],
  personalData,
  menus: [registrationMenu],
  webhookEvents: [registrationApproved],

  setup({ db, get, parameters, webhooks }) {
    const signIn = get(SignInPort);
    const registrations = repositoryOf(db, Registration);
    const service = new RegistrationService({ db, parameters, passwords: get(Passwords), signIn });

    return {
      searchSources: [
        searchSource({
          entity: Registration,
          menu: registrationMenu.code,
          list: registration.list,
          repository: registrations,
          fields: ['name', 'account', 'phone'],
          subtitle: ['account', 'phone'],
        }),
      ],
      figures: [pendingFigures(db)],
      signInMethods: [
        { id: 'guests', offers: () => service.isOpenToUnlinked() },
        { id: 'register', offers: () => service.isOpenToVisitors(), grants: { register: ({ input, origin }) => service.registerVisitor(input, origin) } },
      ],
      routes: [
        signInRoute(registerGuest, ({ input, principal, origin }) => service.registerUnlinked(input, principal.guest, origin)),
        route(registration.list, ({ input }) => registrations.page(input)),
        route(registration.detail, ({ input }) => registrations.detail(input.id)),
        route(registration.approve, async (request) => {
          const { id } = request.input;
          await webhooks.send(registrationApproved, [{ id, userId: await approve(db, request) }]);
          return registrations.detail(id);
        }),
        route(registration.refuse, async (request) => {
          await refuse(db, signIn.identities, request);
          return registrations.detail(request.input.id);
        }),
        route(registrationChoices.roles, ({ principal, language }) => roleOptions(db, principal, language)),
        route(registrationChoices.depts, () => departmentOptions(db)),
      ],
    };
  },
});
