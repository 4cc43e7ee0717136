const system = '/api/blade-system';
const things = '/api/things-system';
const users = '/api/oms-system/user';

/** Calls of BladeX-compatible clients by method and path; alternatives for the last segment are in braces. */
export const bladexCalls = [
  ...['tenant-package', 'param', 'post', 'dict', 'dict-biz', 'data-scope', 'api-scope', 'client', 'topmenu', 'tenant'].flatMap((name) => [
    `GET ${system}/${name}/{list,detail}`,
    `POST ${system}/${name}/{submit,remove}`,
  ]),
  `GET ${system}/tenant-package/select`,
  'GET /api/blade-desk/notice/{list,detail}',
  'POST /api/blade-desk/notice/{submit,remove}',
  'GET /api/blade-desk/dashboard/{notices,my-notices}',
  `GET ${system}/post/select`,
  `GET ${system}/dict/{parent-list,child-list,tree,dictionary,dictionary-tree,select}`,
  `GET ${system}/dict-biz/{parent-list,child-list,tree,dictionary,dictionary-tree,select}`,
  'GET /api/blade-log/usual/{list,detail}',
  'GET /api/blade-log/api/{list,detail}',
  'GET /api/blade-log/error/{list,detail}',
  `POST ${system}/topmenu/grant`,
  `GET ${system}/menu/{grant-top-tree,top-tree-keys,grant-tree,role-tree-keys,list,lazy-menu-list,menu-list,top-menu,buttons,routes,tree,auth-routes}`,
  `GET ${system}/region/{list,lazy-tree,detail,select}`,
  `POST ${system}/region/{submit,remove,import-region}`,
  `GET ${system}/region/{export-region,export-template}`,
  'GET /api/oms-system/role/{list,rolemenus}',
  'POST /api/oms-system/role/{submit,setrolemenus}',
  `GET ${system}/role/{tree,tree-by-id,select,list}`,
  `POST ${system}/role/{remove,grant,submit}`,
  `GET ${things}/menu/{tree,lazy-list,detail,routes}`,
  `POST ${things}/menu/{submit,remove}`,
  `GET ${system}/dept/{list,lazy-tree,select,tree,detail}`,
  `GET ${things}/dept/{lazy-list,detail,tree}`,
  `POST ${things}/dept/{submit,remove}`,
  `POST ${system}/tenant/{setting,datasource,package-setting}`,
  `GET ${system}/tenant/{package-detail,info,select}`,
  `GET ${users}/{userlist,alluserlist,detail}`,
  `POST ${users}/{remove,reset-password,submit,update-password}`,
  `GET ${system}/user/{list,page,detail,info,user-list,platform-detail}`,
  `POST ${system}/user/{submit,update,remove,grant,reset-password,unlock,update-password,update-info,update-platform,register-guest}`,
  `POST ${system}/user/import-user`,
  `GET ${system}/user/{export-user,export-template}`,
  'POST /api/things-auth/oauth/{token,logout}',
  'GET /api/things-auth/oauth/{captcha,logout,clear-cache}',
  'GET /api/blade-auth/oauth/user-info',
  'GET /api/things-resource/depart/{getList,getMyList,getAduitList,getResourceNumber}',
  'POST /api/things-resource/depart/{updateStatusById,remove,submit,updateName,submitCatiry,submitFile}',
  'GET /api/things-resource/findResourceByIds',
  'GET /api/things-task/task/{getAuditList,getRecordList,getList}',
  'POST /api/things-task/task/{doAudit,submit,remove,publish,xiajia}',
  'POST /api/things-task/weixinpay',
];

/** Expands one line into its calls. */
export const expandCalls = (line: string) => {
  const [method = 'GET', path = ''] = line.split(' ');
  const steps = /^(.*)\{(.*)\}$/.exec(path);
  return steps ? (steps[2] ?? '').split(',').map((step) => ({ method, url: `${steps[1]}${step}` })) : [{ method, url: path }];
};
