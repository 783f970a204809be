//! The other names that people and models have for the verbs, in English and Chinese.
//!
//! Sources: the tool names of the computer-use and browser-use interfaces that models are trained on, and the words that
//! models of several families write of their own accord. A name may stand for one verb only: `move` (pointer or element?)
//! and `close` (tab or dialog?) are therefore no names, and the planner is asked what it means.

use super::ActionSpec;
use crate::Verb;
use crate::text::name_key;

/// Every synonym of a common verb.
pub(super) fn also(verb: Verb) -> Vec<String> {
    listed(synonyms(verb)).map(str::to_owned).collect()
}

fn listed(names: &str) -> impl Iterator<Item = &str> {
    names.split(", ").filter(|name| !name.is_empty())
}

fn synonyms(verb: Verb) -> &'static str {
    match verb {
        Verb::Tap => {
            "click, left click, press, touch, select, single click, single tap, left single, mouse left click, \
             点击, 单击, 轻触, 点按, 点, 按下, 点一下, 点选, 轻点, 轻击, 触摸, 点触, 点开, 点击一下, 左键点击, \
             左键单击, 鼠标左键, 點擊, 單擊, 點選"
        }
        Verb::DoubleClick => {
            "double tap, dblclick, left double, double left click, click twice, 双击, 双点, 左键双击, 连击, \
             雙擊"
        }
        Verb::RightClick => {
            "context click, right single, secondary click, right tap, context menu, 右击, 右键, 右键点击, \
             右键单击, 点击右键, 单击右键, 右鍵"
        }
        Verb::Hover => {
            "mouse over, move to, mouse move, move mouse, move pointer, mouse move to, move mouse to, point at, \
             point to, 悬停, 移动到, 移到, 悬浮, 移动鼠标, 移动鼠标到, 移至, 指向, 懸停"
        }
        Verb::LongPress => {
            "long click, press and hold, click and hold, hold, long tap, long touch, tap and hold, 长按, 按住, \
             长按住, 按住不放, 長按"
        }
        Verb::Input => {
            "type, enter, fill, fill in, fill out, write, set text, set value, type in, type into, typewrite, \
             insert text, keyboard type, keyboard input, 输入, 键入, 填写, 填入, 打字, 录入, 填充, 写入, 敲入, \
             键盘输入, 輸入, 填寫"
        }
        Verb::ClearInput => {
            "clear, erase, empty, delete text, 清空, 清除, 清空输入, 清除输入, 删除文本, 删除文字, 清空輸入"
        }
        Verb::KeyboardPress => {
            "press key, key press, hotkey, key, keys, send keys, key event, shortcut, key combination, \
             key combo, press hotkey, press shortcut, keyboard shortcut, keyboard, keystroke, hit key, tap key, \
             按键, 按下按键, 快捷键, 敲击, 按下键, 键盘按键, 按下快捷键, 按快捷键, 组合键, 按组合键, 按下组合键, \
             热键, 发送按键, 键盘, 键盘操作, 敲击键盘, 按下键盘, 按鍵, 快捷鍵"
        }
        Verb::CursorMove => "move cursor, move caret, 移动光标, 光标移动, 移動光標",
        Verb::Scroll => {
            "swipe, mouse wheel, wheel, scroll down, scroll up, scroll left, scroll right, scroll to bottom, \
             scroll to top, 滚动, 滑动, 下拉, 翻页, 滚屏, 滚轮, 划动, 滚动鼠标, 向下滚动, 向上滚动, 向左滚动, \
             向右滚动, 滚动到底部, 滚动到顶部, 滚动到底, 滚动到顶, 滾動, 捲動, 滑動"
        }
        Verb::DragAndDrop => {
            "drag, drag to, drag drop, drag from to, move element, left click drag, click and drag, 拖动, 拖拽, \
             拖放, 拖, 拖曳, 拖移, 拖动到, 拖拽到, 拖到, 拖至, 拖動"
        }
        Verb::Select => {
            "select option, choose option, choose, pick, select dropdown, select dropdown option, \
             select from dropdown, select by text, set option, 选择, 选择选项, 下拉选择, 选取, 选定, \
             选择下拉选项, 選擇"
        }
        Verb::Upload => {
            "attach, attach file, choose file, select file, file upload, set files, set input files, 上传, \
             选择文件, 上傳"
        }
        Verb::Sleep => {
            "wait, pause, delay, wait for, wait for load, 等待, 等一下, 暂停, 等, 等候, 稍等, 休眠, 延时, 延迟, \
             停顿, 睡眠, 等待加载, 等待页面加载"
        }
        Verb::Navigate => {
            "go to, open, visit, launch, browse, browse to, navigate to, load url, open web page, 打开, \
             访问, 前往, 跳转, 打开网址, 导航, 导航到, 跳转到, 转到, 浏览, 打開, 前往網址"
        }
        Verb::Reload => "refresh, 刷新, 重新加载, 重载, 重新载入, 重新整理",
        Verb::GoBack => {
            "back, navigate back, press back, previous page, 后退, 返回, 返回上一页, 返回上一级, 返回上一步, \
             回退, 退回, 回到上一页, 後退"
        }
        Verb::GoForward => "forward, navigate forward, 前进, 前進",
        Verb::CloseTab => {
            "close page, close window, close current tab, 关闭标签页, 关闭页面, 关闭标签, 关闭窗口, 关闭网页, \
             关闭选项卡, 关闭当前标签页, 关闭当前页面"
        }
    }
}

/// What a name may add about the object of a verb without meaning another: `click button`, `输入文本`, `scroll page`.
fn objects(spec: &str) -> &'static str {
    const THINGS: &str = "button, element, element by index, link, icon, item, target, at, on, coordinate, coordinates, \
             point, position, location, on element, on button, on link, over, 到, 在, 按钮, 元素, 链接, 图标, \
             控件, 区域, 位置, 坐标, 目标, 选项, 菜单, 复选框, 输入框, 搜索框, 按鈕";
    const PAGES: &str =
        "page, screen, window, view, document, area, element, at, 页面, 网页, 屏幕, 窗口, 列表, 内容, 区域";
    match spec {
        "Tap" | "DoubleClick" | "RightClick" | "Hover" | "LongPress" | "DragAndDrop" => THINGS,
        "Input" | "ClearInput" => {
            "text, content, string, value, at, into, in, field, input, text at, text field, text box, text in, \
             text into, input field, 文本, 文字, 内容, 字符, 字符串, 数据, 信息, 到, 框, 输入框, 文本框, 內容"
        }
        "KeyboardPress" => "key, keys, combination, 按键, 键, 键盘, 快捷键, 组合键",
        "Select" => "option, item, list, 选项, 下拉框, 列表, 菜单",
        "Upload" => "file, files, 文件, 图片, 附件",
        "Sleep" => "time, for, 时间, 片刻, 一会, 一会儿, 加载",
        "Navigate" => "url, page, website, web page, site, to, 网址, 网站, 网页, 页面",
        "Scroll" | "Reload" | "GoBack" | "GoForward" => PAGES,
        _ => "",
    }
}

/// Names that say a parameter too: without it, `scroll up` would scroll down.
const IMPLIED: &[(&str, &str, &str)] = &[
    ("scroll down", "direction", "down"),
    ("scroll up", "direction", "up"),
    ("scroll left", "direction", "left"),
    ("scroll right", "direction", "right"),
    ("向下滚动", "direction", "down"),
    ("向上滚动", "direction", "up"),
    ("向左滚动", "direction", "left"),
    ("向右滚动", "direction", "right"),
    ("scroll to bottom", "scrollType", "scrollToBottom"),
    ("scroll to top", "scrollType", "scrollToTop"),
    ("滚动到底部", "scrollType", "scrollToBottom"),
    ("滚动到顶部", "scrollType", "scrollToTop"),
    ("滚动到底", "scrollType", "scrollToBottom"),
    ("滚动到顶", "scrollType", "scrollToTop"),
];

/// What people put in front of a verb and behind it without meaning anything by it.
const BEFORE: &[&str] =
    &["perform", "execute", "browser", "page", "mouse", "pyautogui", "computer", "ai", "鼠标", "执行", "进行", "请"];
const AFTER: &[&str] = &["action", "操作", "动作", "一下"];

/// No verb's name comes near this: what is longer is prose.
const LONGEST: usize = 40;

/// The verb of a space that a name means, and which of its names that was.
pub(super) struct Known<'a> {
    pub spec: &'a ActionSpec,
    key: String,
}

impl Known<'_> {
    /// What the name itself says about a parameter.
    pub(super) fn implies(&self, param: &str) -> Option<&'static str> {
        let of_name = |(name, _, _): &&(&str, &str, &str)| name_key(name) == self.key;
        IMPLIED.iter().filter(of_name).find(|(_, p, _)| *p == param).map(|(_, _, value)| *value)
    }
}

/// Finds a name, whatever its case, blanks and punctuation: as it is, else without idle words around it, else without the
/// object behind it.
pub(super) fn find<'a>(specs: &'a [ActionSpec], name: &str) -> Option<Known<'a>> {
    let key = name_key(name);
    if key.is_empty() || key.chars().count() > LONGEST {
        return None;
    }
    named(specs, &key).or_else(|| {
        let bare = BEFORE.iter().find_map(|word| key.strip_prefix(&name_key(word))).unwrap_or(&key);
        let bare = AFTER.iter().find_map(|word| bare.strip_suffix(word)).unwrap_or(bare);
        named(specs, bare).or_else(|| with_object(specs, bare))
    })
}

fn named<'a>(specs: &'a [ActionSpec], key: &str) -> Option<Known<'a>> {
    let exact = |s: &&ActionSpec| name_key(&s.name) == key;
    let known = |s: &&ActionSpec| s.also.iter().any(|a| name_key(a) == key);
    let spec = specs.iter().find(exact).or_else(|| specs.iter().find(known))?;
    Some(Known { spec, key: key.to_owned() })
}

/// The longest name that has an object of its verb behind it; a verb's own name goes before another's synonym.
fn with_object<'a>(specs: &'a [ActionSpec], key: &str) -> Option<Known<'a>> {
    let names = specs.iter().flat_map(|spec| {
        let names = std::iter::once((&spec.name, true)).chain(spec.also.iter().map(|name| (name, false)));
        names.map(move |(name, is_own)| (spec, name_key(name), is_own))
    });
    let fits = |spec: &ActionSpec, name: &str| {
        key.strip_prefix(name).is_some_and(|object| listed(objects(&spec.name)).any(|known| name_key(known) == object))
    };
    let found = names.filter(|(spec, name, _)| fits(spec, name)).max_by_key(|(_, name, is_own)| (name.len(), *is_own));
    found.map(|(spec, key, _)| Known { spec, key })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ActionSpace;
    use std::collections::BTreeMap;

    /// Only `select` is a synonym of one verb and the name of another: without drop-down lists it means a tap.
    const TWICE: &str = "select";

    #[test]
    fn no_name_stands_for_two_verbs() {
        let space = ActionSpace::of(&Verb::ALL);
        let mut direct: BTreeMap<String, &str> = BTreeMap::new();
        for spec in &space.specs {
            for name in std::iter::once(&spec.name).chain(&spec.also) {
                let other = direct.insert(name_key(name), &spec.name);
                assert!(other.is_none() || name.to_lowercase() == TWICE, "`{name}`: {} and {other:?}", spec.name);
            }
        }
        let mut composed: BTreeMap<String, &str> = BTreeMap::new();
        for spec in &space.specs {
            for name in std::iter::once(&spec.name).chain(&spec.also).filter(|name| *name != TWICE) {
                for object in listed(objects(&spec.name)) {
                    let key = format!("{}{}", name_key(name), name_key(object));
                    let other = composed.insert(key.clone(), &spec.name);
                    let is_one = direct.contains_key(&key) || other.is_none_or(|other| other == spec.name);
                    assert!(is_one, "`{name} {object}`: {} and {other:?}", spec.name);
                }
            }
        }
    }

    #[track_caller]
    fn check(names: &[&str], verb: &str) {
        let space = ActionSpace::of(&Verb::ALL);
        for name in names {
            assert_eq!(space.find(name).map_or("none", |s| s.name.as_str()), verb, "{name}");
        }
    }

    /// Case P08, i, and what else models write of their own accord, or learnt from other interfaces.
    #[test]
    fn verbs_are_known_by_the_names_that_models_write() {
        check(
            &["点击按钮", "点击元素", "點擊", "左键单击", "鼠标点击", "执行点击", "点击操作", "点击一下", "点击输入框"],
            "Tap",
        );
        check(
            &[
                "left_click",
                "click_at",
                "click_element_by_index",
                "browser_click",
                "aiTap",
                "pyautogui.click",
                "press button",
            ],
            "Tap",
        );
        check(&["双击元素", "double_click", "left_double", "doubleClick"], "DoubleClick");
        check(&["right_single", "右键点击元素", "右键菜单", "RightClick action"], "RightClick");
        check(&["hover_at", "mouse_move", "鼠标悬停", "悬停在", "鼠标移动到", "moveTo"], "Hover");
        check(&["long_press", "Long Press", "长按元素"], "LongPress");
        check(&["输入文本", "输入文字", "输入内容", "填写输入框", "键盘输入", "輸入"], "Input");
        check(
            &["type_text_at", "input_text", "browser_type", "fill", "pyautogui.typewrite", "enter text", "aiInput"],
            "Input",
        );
        check(&["清空输入框", "清除文本", "清空内容", "clear text", "clear input field"], "ClearInput");
        check(
            &[
                "key",
                "keypress",
                "hotkey",
                "key_combination",
                "browser_press_key",
                "按下按键",
                "按下键盘",
                "键盘按键",
                "按键操作",
            ],
            "KeyboardPress",
        );
        check(&["scroll_document", "scroll_at", "swipe", "滚动页面", "向下滚动页面", "鼠标滚轮", "滑动屏幕"], "Scroll");
        check(&["left_click_drag", "drag_and_drop", "拖动元素", "拖拽到", "鼠标拖动"], "DragAndDrop");
        check(&["select", "select_dropdown_option", "选择选项", "选择下拉框", "choose item"], "Select");
        check(&["browser_file_upload", "上传图片", "选择文件"], "Upload");
        check(&["wait", "等待", "等待一会儿", "等待加载", "等待时间", "wait_for"], "Sleep");
        check(&["go_to_url", "browser_navigate", "打开网页", "访问网站", "跳转页面", "open url"], "Navigate");
        check(&["刷新页面", "reload page", "refresh"], "Reload");
        check(&["browser_navigate_back", "返回", "后退", "press_back", "go back"], "GoBack");
        check(&["close tab", "关闭标签页"], "CloseTab");
        // What may mean two things, or something else, is asked about.
        check(
            &[
                "close",
                "move",
                "press_home",
                "click and type",
                "点击并输入",
                "select text",
                "triple_click",
                "done",
                "页面",
                "",
            ],
            "none",
        );
        check(&["the user wants me to click the button and then to type"], "none");
    }
}
