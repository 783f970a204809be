//! The two languages in which people are told things. Messages are data: each stands once, in both, and takes its parts by
//! number.

use handeye_core::text::clip;

/// A message in English and in Chinese; `{0}`, `{1}` stand for its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message(pub &'static str, pub &'static str);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    English,
    Chinese,
}

/// Kinds of elements as devices name them, in Chinese. English keeps the device's word.
const KINDS: &[(&str, &str)] = &[
    ("button", "按钮"),
    ("link", "链接"),
    ("textbox", "输入框"),
    ("searchbox", "搜索框"),
    ("spinbutton", "数字框"),
    ("combobox", "下拉框"),
    ("listbox", "列表框"),
    ("option", "选项"),
    ("checkbox", "复选框"),
    ("radio", "单选按钮"),
    ("switch", "开关"),
    ("slider", "滑块"),
    ("tab", "标签页"),
    ("menuitem", "菜单项"),
    ("menu", "菜单"),
    ("heading", "标题"),
    ("text", "文字"),
    ("img", "图片"),
    ("image", "图片"),
    ("listitem", "列表项"),
    ("list", "列表"),
    ("row", "行"),
    ("cell", "单元格"),
    ("gridcell", "单元格"),
    ("columnheader", "列标题"),
    ("table", "表格"),
    ("dialog", "对话框"),
    ("alertdialog", "对话框"),
    ("region", "区域"),
    ("form", "表单"),
    ("generic", "元素"),
];

impl Language {
    /// The language of a goal whose quoted texts were taken out: what a page is called does not say how a person speaks.
    pub fn of(unquoted: &str) -> Self {
        if crate::locate::tree::phrase::quotes::has_cjk(unquoted) { Self::Chinese } else { Self::English }
    }

    /// The message with its parts filled in.
    pub fn say(self, message: Message, parts: &[&str]) -> String {
        let text = match self {
            Self::English => message.0,
            Self::Chinese => message.1,
        };
        let mut out = String::new();
        let mut rest = text;
        // Parts may hold braces themselves, so the text is gone through once.
        while let Some(open) = rest.find('{') {
            let part = rest[open + 1..].split_once('}').and_then(|(n, after)| {
                let n: usize = n.parse().ok()?;
                Some((parts.get(n)?, after))
            });
            let Some((part, after)) = part else { break };
            out.push_str(&rest[..open]);
            out.push_str(part);
            rest = after;
        }
        out.push_str(rest);
        out
    }

    /// A text of the page or of the goal between the quotes of the language.
    pub fn quote(self, text: &str) -> String {
        match self {
            Self::English => format!("{:?}", clip(text, 80)),
            Self::Chinese => format!("“{}”", clip(text, 80)),
        }
    }

    /// Words of the goal, as they were said.
    pub fn words(self, text: &str) -> String {
        match self {
            Self::English => format!("`{text}`"),
            Self::Chinese => format!("“{text}”"),
        }
    }

    /// An element by its kind and name: `button "Save"`, `按钮“保存”`.
    pub fn element(self, role: &str, name: &str) -> String {
        let kind = match self {
            Self::English => role,
            Self::Chinese => KINDS.iter().find(|(r, _)| *r == role).map_or(role, |(_, zh)| zh),
        };
        match (self, name.is_empty()) {
            (_, true) => kind.to_owned(),
            (Self::English, _) => format!("{kind} \"{}\"", clip(name, 60)),
            (Self::Chinese, _) => format!("{kind}“{}”", clip(name, 60)),
        }
    }

    /// Several things said one after the other.
    pub fn list(self, parts: &[String]) -> String {
        parts.join(match self {
            Self::English => "; ",
            Self::Chinese => "；",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_filled_in_once_and_in_any_order() {
        let message = Message("{0} is {1}", "{1}的{0}");
        assert_eq!(Language::English.say(message, &["{1}", "b {0}"]), "{1} is b {0}");
        assert_eq!(Language::Chinese.say(message, &["a", "b"]), "b的a");
        assert_eq!(Language::English.say(Message("{2} x {", ""), &[]), "{2} x {");
    }

    #[test]
    fn elements_are_named_in_the_language_of_the_goal() {
        assert_eq!(Language::English.element("button", "Save"), "button \"Save\"");
        assert_eq!(Language::Chinese.element("button", "保存"), "按钮“保存”");
        assert_eq!(Language::Chinese.element("checkbox", ""), "复选框");
        assert_eq!(Language::of("点击 \u{e000}"), Language::Chinese);
        assert_eq!(Language::of("click \u{e000}"), Language::English);
    }
}
