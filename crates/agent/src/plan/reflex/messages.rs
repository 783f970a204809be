//! All that this planner tells people, in both languages.

use crate::language::Message;

macro_rules! messages {
    ($($name:ident = ($english:expr, $chinese:expr $(,)?);)*) => {
        $(pub(super) const $name: Message = Message($english, $chinese);)*
        /// All of them, for the test that goes through them.
        #[cfg(test)]
        pub(super) const ALL: &[(&str, Message)] = &[$((stringify!($name), $name)),*];
    };
}

messages! {
    // What was done, and what need not be done.
    CLICKED = ("clicked {0}", "点击了{0}");
    DOUBLE_CLICKED = ("double-clicked {0}", "双击了{0}");
    RIGHT_CLICKED = ("right-clicked {0}", "右键点击了{0}");
    POINTED_AT = ("pointed at {0}", "把鼠标移到了{0}上");
    HELD = ("held {0}", "长按了{0}");
    TIMES = ("{0} {1} times", "{0}（{1}次）");
    PRESSED = ("pressed {0}", "按了{0}");
    TYPED = ("typed {0} into {1}", "在{1}中输入了{0}");
    SECRET = ("a secret", "密码");
    CLEARED = ("cleared {0}", "清空了{0}");
    EMPTY_ALREADY = ("{0} was empty already", "{0}本来就是空的");
    CHOSE = ("chose {0} in {1}", "在{1}中选择了{0}");
    CHOSEN_ALREADY = ("{0} was chosen already", "{0}本来就已选中");
    CHOSEN_IN_ALREADY = ("{0} was chosen in {1} already", "{1}本来就选的是{0}");
    TURNED_ON = ("turned on {0}", "选中了{0}");
    TURNED_OFF = ("turned off {0}", "取消了{0}");
    ON_ALREADY = ("{0} was on already", "{0}本来就是选中的");
    OFF_ALREADY = ("{0} was off already", "{0}本来就没有选中");
    OPEN_ALREADY = ("{0} was open already", "{0}本来就是展开的");
    SHUT_ALREADY = ("{0} was shut already", "{0}本来就是收起的");
    IN_VIEW_ALREADY = ("{0} was in view already", "{0}本来就在可见范围内");
    SCROLLED = ("scrolled ({0})", "完成了“{1}”");
    SCROLLED_TO = ("scrolled to {0}", "滚动到了{0}");
    WENT_TO = ("went to {0}", "打开了 {0}");
    RELOADED = ("reloaded the page", "刷新了页面");
    WENT_BACK = ("went back", "返回了上一页");
    WENT_FORWARD = ("went forward", "前进到了下一页");
    CLOSED_TAB = ("closed the tab", "关闭了标签页");
    WAITED = ("waited {0} ms", "等待了{0}毫秒");
    WAITED_UNTIL = ("waited until {0}", "等到了：{0}");
    CHECKED = ("checked that {0}", "已确认：{0}");
    DRAGGED = ("dragged {0} to {1}", "把{0}拖到了{1}");
    UPLOADED = ("gave {0} to {1}", "把文件{0}交给了{1}");
    SEARCHED = ("searched for {0} with {1}", "用{1}搜索了{0}");
    ADDED = ("added {0} with {1}", "用{1}添加了{0}");
    KEPT_TO = ("kept to `{0}`", "遵守了“{0}”");
    DIALOG_CANCELLED = ("the page's question {0} was dismissed", "已取消页面弹出的询问{0}");
    DIALOG_ACCEPTED = ("the page's question {0} was answered with OK", "已对页面弹出的询问{0}回答“确定”");
    NOTHING_CHANGED = ("{0} (nothing on the page changed)", "{0}（页面没有变化）");

    // The end of a goal.
    DONE = ("done: {0}", "已完成：{0}");
    NOTHING_TO_DO = ("nothing was to be done", "没有需要做的事");
    WITH_HISTORY = ("{0}; {1}", "{0}；{1}");
    NOTHING_BEFORE = ("nothing was done before", "此前没有做任何操作");
    DONE_BEFORE = ("done before: {0}", "此前已完成：{0}");
    OF_CLAUSE = ("`{0}`: {1}", "“{0}”：{1}");
    NO_ROUND = (
        "no round is left for `{0}`; raise the limit with --max-rounds",
        "轮数已用完，无法继续“{0}”；可以用 --max-rounds 增加轮数",
    );
    NO_UPLOADS = (
        "`{0}` gives the page a file, which is off; allow it with `--upload FILE`",
        "“{0}”要把文件交给页面，但没有得到允许；请用 `--upload 文件` 允许",
    );
    NO_VERB = ("this device has no `{0}`", "该设备不支持“{0}”");
    NO_TREE = (
        "this device has no UI tree, which is all that can be read without a model",
        "该设备没有界面元素树；没有模型时只能读取它",
    );

    // What became of an action that was not done, or not seen to be done. The evidence is the device's.
    REFUSED = ("not done, refused: {0}", "没有执行，元素不接受该操作（{0}）");
    COVERED = (
        "not done, covered by {0}: {1}; close or move away what lies on top first",
        "没有执行，目标被 {0} 挡住（{1}）；请先关闭或移开遮挡物",
    );
    REVERTED = ("not done, reverted: {0}", "操作后页面又恢复了原状，等于没有完成（{0}）");
    NO_EFFECT = ("{0}, but nothing seems to have come of it: {1}", "{0}，但似乎没有效果（{1}）");
    ASKS_FIRST = (
        "{0}, and the page asks before it does that; say how to answer, e.g. \"then confirm with OK\"",
        "{0}，但页面要求先确认；请说明如何回答，例如“然后点确定”",
    );
    UNSEEN = ("{0}, but what came of it was not seen: {1}", "{0}，但看不到结果（{1}）");
    LOST = ("not done, target not found: {0}", "没有执行，目标已不在页面上（{0}）");
    FAILED = ("failed: {0}", "失败：{0}");
    STATE_UNCHANGED = ("{0}, but {1}", "{0}，但{1}");
    NOT_UNDER = ("{0} is not under {1}", "{0}不在{1}下面");
    STILL_ON = ("{0} is still on", "{0}仍是选中的");
    STILL_OFF = ("{0} is still off", "{0}仍未选中");
    CHANGED_MIDWAY = ("the page changed before `{0}` was finished", "“{0}”还没做完，页面就变了");
    DIALOG_DISMISSED = (
        "the page asked {0} and its dialog was dismissed, so this step did not happen; to answer such questions with OK, \
         run it again with --dialogs accept",
        "页面弹出询问{0}，该对话框被取消了，所以这一步没有完成；若要回答“确定”，请加上 --dialogs accept 再运行",
    );
    DIALOG_NOT_CANCELLED = (
        "the page's question {0} was answered with OK, because --dialogs accept was given; to dismiss it, leave that out",
        "页面弹出的询问{0}已被回答“确定”（因为使用了 --dialogs accept）；若要取消，请去掉该选项",
    );

    // Why nothing is done.
    NOT_WHOLE = ("the page has more elements than could be read, so that cannot be told", "页面元素太多，没有全部读到，无法判断");
    NOTHING_ANSWERS = ("no element answers to {0}", "页面上没有{0}");
    AMONG_LISTED = ("{0} among those that the device listed", "{0}（只看了设备列出的元素）");
    SEVERAL = ("{0} elements answer to {1}; say which one", "有{0}个元素都符合{1}，请说明是哪一个");
    SEVERAL_EQUAL = (
        "{0} elements answer to {1}; say which one, e.g. \"the second {2}\"",
        "有{0}个元素都符合{1}，请说明是哪一个，例如“第二个{2}”",
    );
    IS_SO = ("{0} is {1}", "{0}目前{1}");
    NO_ADDRESS = ("`{0}` is no address as long as no page is open", "还没有打开页面，“{0}”不是完整的网址");
    KEY_OR_BUTTON = (
        "`{0}` is a key, and also the name of {1}; say \"the {0} key\" or \"the {0} button\"",
        "“{0}”既是按键，也是{1}的名称；请说“{0}键”或“{0}按钮”",
    );
    NOTHING_FITS = ("nothing on the page fits it", "页面上没有符合的内容");
    READS_TWICE = ("it can be read in more than one way; say it in other words", "有多种理解方式，请换一种说法");
    NO_LIST = ("{0} is no list to choose from", "{0}不是可以选择的列表");
    CANNOT_OPEN = ("{0} cannot be opened", "{0}无法展开");
    CANNOT_CLICK = ("{0} cannot be clicked", "{0}无法点击");
    SEVERAL_OPTIONS = ("several options of {0} answer to {1}; give its whole text", "{0}中有多个选项符合{1}，请写出完整的选项");
    NO_OPTION = ("{0} has no option {1}", "{0}中没有选项{1}");
    RADIO_OFF = ("{0} can only be turned off by choosing another one", "{0}只能通过选择另一项来取消");
    NO_CONTROL = ("no `{0}` control belongs to {1}", "{1}没有“{0}”控件");
    NO_PAGE = ("there is no control that turns to page {0}", "页面上没有翻到第{0}页的控件");
    NO_CLOSE = ("{0} has no control to close it", "{0}没有用来关闭它的控件");
    NO_FIELD = ("there is no field to type into", "页面上没有可以输入的框");
    WHICH_FIELD = (
        "it does not say into which field, and none has the focus; name the field",
        "没有说明输入到哪个框，也没有获得焦点的框；请写出输入框的名称",
    );
    WHICH_FIELD_CLEAR = ("it does not say which field", "没有说明是哪个输入框");
    FIELD_AND_LIST = (
        "a field and a list answer to it; say which one is meant",
        "有一个输入框和一个列表都符合，请说明是哪一个",
    );
    NO_FOCUS = ("no field has the focus", "没有获得焦点的输入框");
    NO_FOCUS_TO_CHANGE = (
        "no field has the focus, so it does not say what to change",
        "没有获得焦点的输入框，不知道要修改哪里",
    );
    OTHER_FOCUS = ("{0} has the focus, but is not what was clicked", "获得焦点的是{0}，并不是刚才点击的元素");
    NO_LABEL = ("`{0}` does not begin with the name of a field", "“{0}”的开头不是任何输入框的名称");
    NO_ENTRY_FIELD = (
        "no field says that it takes new entries; say \"type … into …\"",
        "没有用来添加新条目的输入框；请说“在……中输入……”",
    );
    ENTRY_FIELDS = ("several fields take new entries; say into which one to type", "有多个可以添加条目的输入框，请说明输入到哪个框");
    NO_FILE_FIELD = ("there is no field for files", "页面上没有上传文件的地方");
    FILE_FIELDS = ("there are several fields for files; name one", "有多个上传文件的地方，请说明是哪一个");

    // Statements about the page.
    CHECK_FAILED = ("the check `{0}` failed: {1}", "检查“{0}”未通过：{1}");
    WAITED_IN_VAIN = ("waited in vain: {0}", "没有等到：{0}");
    THE_PAGE = ("the page", "页面");
    THE_TITLE = ("the title", "页面标题");
    THE_ADDRESS = ("the address", "网址");
    THE_ELEMENT = ("the element", "该元素");
    IS_TEXT = ("{0} is {1}", "{0}是{1}");
    SHOULD_BE = ("{0} should be {1} but is {2}", "{0}应为{1}，实际为{2}");
    SHOWS = ("{0} shows {1}", "{0}显示了{1}");
    SHOWS_NOT = ("{0} does not show {1}", "{0}没有显示{1}");
    SHOULD_CONTAIN = ("{0} should contain {1} but is {2}", "{0}应包含{1}，实际为{2}");
    NO_SUCH_STATE = ("{0} has no such state", "{0}没有这种状态");
    COUNT_IS = ("there are {0}", "共有{0}个");
    COUNT_SHOULD = ("there should be {0} but there are {1}", "应有{0}个，实际有{1}个");
    IS_SHOWN = ("{0} is shown", "{0}已显示");
    IS_NOT_SHOWN = ("{0} is not shown", "没有显示{0}");
    IS_OPEN = ("{0} is where one is", "当前位置是{0}");
    IS_NOT_OPEN = ("{0} is not where one is", "当前位置不是{0}");
    NOT_OPENED = ("no title, heading or address says {0}", "标题和网址都没有{0}");
    SEVERAL_DIFFER = ("several elements answer to {0}, and not all are so; say which one", "有多个元素符合{0}，状态不一致，请说明是哪一个");
    NO_LIST_HOLDS = ("{0} stands in no list or table", "{0}不在列表或表格中");
    ONE_OF = ("{0} is one of {1}", "{0}所在的列表共有{1}条");
    SHOULD_BE_OF = ("there should be {0}, but {1}", "应有{0}条，但{1}");
    SEVERAL_LISTS = ("{0} stands in several lists", "{0}出现在多个列表中");
    SAYS = ("{0} says {1}", "{0}显示{1}");
    SHOULD_SAY = ("{0} should say {1} but says {2}", "{0}应显示{1}，实际显示{2}");
    IS_EMPTY = ("{0} is empty", "{0}是空的");
    HOLDS = ("{0} holds {1}", "{0}的内容是{1}");
    ENABLED = ("{0} is enabled", "{0}可用");
    IS_DISABLED = ("{0} is disabled", "{0}不可用");
    IS_CHECKED = ("{0} is checked", "{0}已勾选");
    NOT_CHECKED = ("{0} is not checked", "{0}没有勾选");
    IS_SELECTED = ("{0} is selected", "{0}已选中");
    NOT_SELECTED = ("{0} is not selected", "{0}没有选中");
    IS_FOCUSED = ("{0} is focused", "{0}有焦点");
    NOT_FOCUSED = ("{0} is not focused", "{0}没有焦点");
    IS_EXPANDED = ("{0} is expanded", "{0}已展开");
    NOT_EXPANDED = ("{0} is not expanded", "{0}没有展开");

    // Clauses that are not read.
    UNREAD = ("`{0}` {1}", "“{0}”{1}");
    UNKNOWN = (
        "is not a step that can be taken without a model; say it as one action, such as \"click X\" or \"type A into B\"",
        "不是没有模型时能执行的步骤；请写成一个操作，例如“点击某按钮”或“在某框中输入某内容”",
    );
    TOO_LONG = ("is too long for a list of steps", "太长，不像一串步骤");
    TOO_MANY = ("has too many steps", "步骤太多");
    OPEN_QUOTE = ("opens a quote that is not closed", "有没有闭合的引号");
    NO_ANTECEDENT = ("does not say what `it` is; name the element", "没有说明“它”指什么，请写出元素的名称");
    ONLY_TELLS = (
        "says how things are; without a model only steps are done. To check it, say \"verify that …\"",
        "只是陈述，没有模型时只能执行步骤；若要检查，请说“确认……”",
    );
    UNSURE = ("names no single element; name each one by its text", "没有指明一个具体的元素，请逐个写出名称");
    BULK = (
        "aims at several things; without a model only single steps are done, so name each one",
        "针对多个对象；没有模型时只执行单个步骤，请逐个写出",
    );
    ASKS = ("asks a question; without a model only steps are done", "是一个问题；没有模型时只能执行步骤");
    CONDITION = (
        "sets a condition; without a model steps are done as they stand",
        "带有条件；没有模型时只能按原样执行步骤",
    );
    REPETITION = ("asks for a repetition; say each step, or how many times", "要求重复执行；请写出每一步，或者写明次数");
    FORBIDS = ("says what not to do; without a model only steps are done", "说的是不要做什么；没有模型时只能执行步骤");
    EXCEPTS = (
        "makes an exception; without a model only single steps are done, so name each one",
        "带有例外；没有模型时只执行单个步骤，请逐个写出"
    );
    ORDER = (
        "gives an order by `before`; say the steps in the order in which they are done",
        "用“之前”规定了顺序；请按执行的先后写出步骤",
    );
    PURPOSE = ("gives a purpose that is not understood", "带有无法理解的目的");
    CHECK_UNREAD = ("is a check that is not understood", "是无法理解的检查");
    WAIT_UNREAD = ("waits for something that is not understood", "等待的内容无法理解");
    NO_TEXT = ("does not give the text to type; put it in quotes", "没有给出要输入的文字；请用引号括起来");
    WHICH_TEXT = ("does not say which field gets which text", "没有说明哪个框输入哪个内容");
    SET_WHAT = ("does not say what to set to what", "没有说明把什么设置成什么");
    MARK_UNREAD = ("marks something in a way that is not understood", "标记的方式无法理解");
    NO_FILE = ("does not name a file by its path", "没有写出文件的路径");
    ADD_WHAT = ("adds something; say where to click and what to type", "要添加内容；请说明点击哪里、输入什么");
    SEARCH_PLACE = (
        "may search for all of these words or in a place; put what to search for in quotes",
        "可能是搜索全部文字，也可能是在某处搜索；请用引号括起要搜索的内容",
    );
    SEARCH_DESCRIBED = (
        "describes what to search for; put the words to type in quotes",
        "只描述了要搜索的东西；请用引号括起要输入的文字",
    );
    DRAG_WHAT = ("does not say what to drag where", "没有说明把什么拖到哪里");
    FIELD_COUNT = ("does not name as many fields as it says", "说的个数和列出的框数不一致");

    // How a description is named.
    DELETE = ("delete", "删除");
    EDIT = ("edit", "编辑");
    ADD_TO_CART = ("add to cart", "加入购物车");
    THE_KIND = ("the {0}", "{0}");
    THE_KIND_NAMED = ("the {0} {1}", "{0}{1}");
    NTH = ("number {0} of {1}", "第{0}个{1}");
    NTH_FROM_END = ("number {0} from the end of {1}", "倒数第{0}个{1}");
    INSIDE = ("{0} in {1}", "{1}里的{0}");
    NEXT_TO = ("{0} next to {1}", "{1}旁边的{0}");
    RIGHT_OF = ("{0} right of {1}", "{1}右边的{0}");
    LEFT_OF = ("{0} left of {1}", "{1}左边的{0}");
    ABOVE = ("{0} above {1}", "{1}上方的{0}");
    BELOW = ("{0} below {1}", "{1}下方的{0}");
    OF = ("{0} of {1}", "{1}的{0}");
}
