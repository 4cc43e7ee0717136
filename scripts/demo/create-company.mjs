import { Caller } from './caller.mjs';
import { advertisers, announcements, categories, cities, englishRoles, grades, membersOf, platforms, staff } from './company.mjs';
import { configureMiniApp, uploadMaterial } from './material.mjs';

const base = '/api/oms-system/base';
const demoClient = 'demo';

/** Creates the company: base data, roles and accounts. Returns the base data and the callers of its staff and members. */
export async function createCompany(server, { adminPassword, password, workers }) {
  const setupAdmin = new Caller(server, 'sryx:sryx_secret', 'admin', adminPassword);
  const oauthClient = await setupAdmin.post('/api/blade-system/client/submit', {
    clientId: demoClient,
    authorizedGrantTypes: ['captcha', 'refresh_token'],
    isPublic: true,
    autoapprove: false,
    accessTokenValidity: 86_400,
    refreshTokenValidity: 31_536_000,
  });
  const claimClientsParameter = await setupAdmin.post('/api/blade-system/param/submit', {
    paramName: '小程序应用',
    paramKey: 'task.claimClients',
    paramValue: `miniapp,${demoClient}`,
  });
  const demoAdmin = new Caller(server, `${demoClient}:`, 'admin', adminPassword);
  const baseData = {
    advertisers: await addEach(advertisers, ({ weight, ...form }, place) =>
      demoAdmin.post(`${base}/addadvertiser`, { ...form, credit_limit: place === advertisers.length - 1 ? 500_000 : 0 }),
    ),
    platforms: await addEach(platforms, ({ weight, link, ...form }, place) => demoAdmin.post(`${base}/addplatform`, { ...form, sort: place + 1 })),
    categories: await addEach(categories, ({ name }, place) => demoAdmin.post(`${base}/addcategory`, { name, parentId: '0', sort: place + 1 })),
    grades: await addEach(grades, ({ price, ...form }) => demoAdmin.post(`${base}/addtaskgrade`, form)),
    cities: await addEach(cities, async ({ region, tier }) => demoAdmin.post(`${base}/addcity`, { code: await codeOf(demoAdmin, region), tier })),
  };
  const roles = await createRoles(demoAdmin);
  const [headOffice] = await demoAdmin.get('/api/things-system/dept/tree');
  const staffCallers = {};
  for (const { account, realName, role } of staff) {
    const form = { account, realName, name: realName, roleId: [roles.get(role)], deptId: [headOffice.id] };
    const { oneTimePassword } = await demoAdmin.post('/api/oms-system/user/submit', form);
    staffCallers[account] = new Caller(server, `${demoClient}:`, account, password, oneTimePassword.password);
    await staffCallers[account].signIn();
  }
  baseData.material = await uploadMaterial(staffCallers.operator, demoAdmin);
  await configureMiniApp(demoAdmin);
  const members = [];
  for (const person of membersOf(workers)) {
    const { account, realName, phone } = person;
    const form = { account, realName, name: realName, phone, roleId: [roles.get('达人')], userType: 2 };
    const { oneTimePassword } = await demoAdmin.post('/api/oms-system/user/submit', form);
    const caller = new Caller(server, `${demoClient}:`, account, password, oneTimePassword.password);
    await caller.signIn();
    members.push({ ...person, caller });
  }
  return {
    staff: staffCallers,
    baseData,
    members,
    /** Publishes the announcements and removes setup data that a finished demo does not need. */
    async close() {
      const releaseTime = '2026-01-01 09:00:00';
      for (const notice of announcements) await demoAdmin.post('/api/blade-desk/notice/submit', { ...notice, category: '1', audience: 'all', releaseTime });
      await demoAdmin.post('/api/blade-system/param/remove', { ids: [claimClientsParameter.id] });
      await setupAdmin.post('/api/blade-system/client/remove', { ids: [oauthClient.id] });
    },
  };
}

async function addEach(list, add) {
  const rows = [];
  for (const [place, one] of list.entries()) rows.push({ ...one, id: (await add(one, place)).id });
  return rows;
}

/** Returns the code of a city by its beginning, because deployments store codes of different lengths. */
async function codeOf(admin, [province, city]) {
  const regions = await admin.get('/api/blade-system/region/select', { code: '00' });
  const above = regions.find(({ code }) => code.startsWith(province));
  const below = await admin.get('/api/blade-system/region/select', { code: above.code });
  return (below.find(({ code }) => code.startsWith(city)) ?? below[0]).code;
}

/** Creates a role for each job, with its pages and their buttons. */
async function createRoles(admin) {
  const entries = flat(await admin.get('/api/blade-system/menu/list'));
  const roles = new Map();
  for (const { role, codes = [], without = [] } of [...staff, { role: '达人' }]) {
    if (roles.has(role)) continue;
    const form = { roleName: role, roleNameEn: englishRoles[role], roleAlias: 'user', parentId: '0', sort: roles.size + 2 };
    const { id } = await admin.post('/api/oms-system/role/submit', form);
    const pages = entries.filter(({ code }) => codes.includes(code));
    const buttons = entries.filter(({ parentId, code }) => pages.some((page) => page.id === parentId) && !without.includes(code));
    const menuIds = [...pages, ...buttons].map((entry) => entry.id);
    if (menuIds.length > 0) await admin.post('/api/oms-system/role/setrolemenus', { roleId: id, menuIds });
    roles.set(role, id);
  }
  return roles;
}

const flat = (entries) => entries.flatMap((entry) => [entry, ...flat(entry.children ?? [])]);
