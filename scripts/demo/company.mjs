/** Names and texts of the demo company. */
export const advertisers = [
  { name: '晨麦烘焙食品有限公司', short_name: '晨麦烘焙', contact_name: '王小麦', contact_phone: '13800001001', weight: 5 },
  { name: '云杉户外用品有限公司', short_name: '云杉户外', contact_name: '林致远', contact_phone: '13800001002', weight: 4 },
  { name: '拾光咖啡连锁有限公司', short_name: '拾光咖啡', contact_name: '陈可', contact_phone: '13800001003', weight: 4 },
  { name: '青柠美妆科技有限公司', short_name: '青柠美妆', contact_name: '许青宁', contact_phone: '13800001004', weight: 3 },
  { name: '小石榴母婴用品有限公司', short_name: '小石榴母婴', contact_name: '赵敏', contact_phone: '13800001005', weight: 2 },
];

export const platforms = [
  { name: '抖音', code: 'douyin', link_pattern: '*.douyin.com/video/*', link: 'https://www.douyin.com/video/', weight: 5 },
  { name: '小红书', code: 'xiaohongshu', link_pattern: '*.xiaohongshu.com/explore/*', link: 'https://www.xiaohongshu.com/explore/', weight: 4 },
  { name: '快手', code: 'kuaishou', link_pattern: '*.kuaishou.com/short-video/*', link: 'https://www.kuaishou.com/short-video/', weight: 3 },
  { name: '哔哩哔哩', code: 'bilibili', link_pattern: '*.bilibili.com/video/*', link: 'https://www.bilibili.com/video/', weight: 2 },
  { name: '微博', code: 'weibo', link_pattern: 'weibo.com/**', link: 'https://weibo.com/u/', weight: 1 },
];

export const categories = [
  { name: '短视频拍摄', weight: 5, verb: '拍一条短视频', requirements: '视频不少于 15 秒，画面清晰，出现产品与门店招牌' },
  { name: '图文笔记', weight: 4, verb: '写一篇图文笔记', requirements: '不少于 150 字、5 张原创图片，带指定话题' },
  { name: '直播引流', weight: 2, verb: '直播间互动引流', requirements: '停留不少于 10 分钟，发言 3 条以上并截图' },
  { name: '门店探店', weight: 3, verb: '到店打卡', requirements: '到店消费并发布带定位的内容' },
  { name: '产品测评', weight: 2, verb: '发布使用测评', requirements: '写明优点与不足，附使用前后对比' },
];

export const grades = [
  { name: '入门', level: 1, min_price: 100, max_price: 800, price: [300, 800] },
  { name: '进阶', level: 2, min_price: 500, max_price: 2000, price: [800, 1800] },
  { name: '达人', level: 3, min_price: 1500, max_price: 6000, price: [1800, 4500] },
];

export const cities = [
  { name: '北京', region: ['11', '1101'], tier: 1 },
  { name: '上海', region: ['31', '3101'], tier: 1 },
  { name: '深圳', region: ['44', '4403'], tier: 1 },
  { name: '杭州', region: ['33', '3301'], tier: 2 },
  { name: '成都', region: ['51', '5101'], tier: 2 },
  { name: '武汉', region: ['42', '4201'], tier: 2 },
];

export const products = [
  '全麦吐司',
  '冷萃咖啡',
  '轻量帐篷',
  '防晒喷雾',
  '婴儿湿巾',
  '燕麦曲奇',
  '徒步鞋',
  '保湿面膜',
  '拿铁套餐',
  '宝宝辅食',
  '露营灯',
  '唇釉',
];

/** Files for tasks, folder by folder. */
export const materials = [
  { folder: '品牌素材', names: ['品牌标识', '秋季主视觉', '产品合影'] },
  { folder: '门店实拍', names: ['门店招牌', '吧台', '陈列'] },
  { folder: '话题与示例', names: ['示例笔记', '话题写法', '开箱示例'] },
];

/** Titles of banners; the first three are on the first page of the mini-app. */
export const banners = ['秋季探店召集', '新人首单奖励', '露营季任务上新', '达人进阶指南'];

/** Announcements to all users, published at the end, the newest last. */
export const announcements = [
  { title: '示例：从哪里开始看', content: '<p>首页汇总了待办与近期数据；「任务审核」列出等待审核的作品，「任务列表」列出正在进行的任务。</p>' },
  {
    title: '示例：以不同角色登录',
    content: '<p>除 admin 外，还可用 operator、auditor1、cashier、finance 登录，密码相同，看到的菜单与数据各不相同。</p>',
  },
  {
    title: '示例：欢迎使用演示公司',
    content: '<p>这里的账号、任务与记录均为虚构，时间跨度为半年。换一个数据目录启动，即可得到一套不含演示数据的系统。</p>',
  },
];

/** English names of the roles. */
export const englishRoles = { 运营: 'Operations', 审核员: 'Reviewer', 出纳: 'Cashier', 财务主管: 'Head of finance', 达人: 'Creator' };

/** Staff accounts with the permissions of each. */
export const staff = [
  {
    account: 'operator',
    realName: '周运营',
    role: '运营',
    codes: ['tasks', 'task_record', 'advertiser', 'platform', 'category', 'city', 'task_grade', 'depart_resource'],
  },
  { account: 'auditor1', realName: '李审核', role: '审核员', codes: ['task_audit', 'task_record'] },
  { account: 'auditor2', realName: '孙审核', role: '审核员', codes: ['task_audit', 'task_record'] },
  { account: 'auditor3', realName: '钱审核', role: '审核员', codes: ['task_audit', 'task_record'] },
  {
    account: 'cashier',
    realName: '吴出纳',
    role: '出纳',
    codes: ['task_pay', 'payout', 'receipt', 'ledger', 'advertiser'],
    without: ['payout_approve', 'advertiser_add', 'advertiser_edit', 'advertiser_delete'],
  },
  { account: 'finance', realName: '郑财务', role: '财务主管', codes: ['task_pay', 'payout', 'receipt', 'ledger', 'payment_limit', 'task_record'] },
];

const surnames = [...'赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕施张孔曹严华金魏陶姜'];
const givenNames = ['小雨', '子涵', '欣怡', '浩然', '梓轩', '思琪', '佳怡', '俊杰', '雨桐', '一诺', '若曦', '明哲'];

/** Returns accounts and names of the members who do the work, the most active first. */
export const membersOf = (count) =>
  Array.from({ length: count }, (_, place) => ({
    account: `worker${String(place + 1).padStart(2, '0')}`,
    realName: surnames[(place * 7) % surnames.length] + givenNames[(place * 5) % givenNames.length],
    phone: `139${String(10_000_000 + place * 7919)}`,
    weight: 1 + 6 / (place + 2),
  }));

/** Reasons for which reviewers reject work. */
export const rejectionReasons = ['截图不清晰，看不到账号', '链接打不开', '内容与任务要求不符', '发布时间早于领取时间', '未出现指定话题'];
