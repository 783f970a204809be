//! Things that are dragged, on pages that let people drag in the ways that are common: where each ends, and what is told of it.

use crate::rig::{Rig, at, page};
use handeye_core::{Action, Element};

/// Three columns of cards; the last one is empty.
const BOARD: &str = "<style>.col{position:absolute;top:60px;width:200px}.list{min-height:160px;background:#eef;padding:8px}\
    .card{height:40px;margin-bottom:8px;background:#fff;border:1px solid}h2{margin:0;height:30px;font-size:16px}</style>\
    <div class=col style='left:40px'><h2>To do</h2><div class=list id=l1><div class=card>Ann</div><div class=card>Ben</div><div class=card>Cid</div></div></div>\
    <div class=col style='left:280px'><h2>Doing</h2><div class=list id=l2><div class=card>Dan</div><div class=card>Eve</div></div></div>\
    <div class=col style='left:520px'><h2>Done</h2><div class=list id=l3></div></div>";

/// The browser's own drag and drop, by the book: the column under the drop takes the card as its last one.
const PLAIN: &str = "let held;for(const c of document.querySelectorAll('.card')){c.draggable=true;c.ondragstart=e=>{held=c;e.dataTransfer.setData('text','x')}}\
    for(const l of document.querySelectorAll('.list')){l.ondragover=e=>e.preventDefault();l.ondrop=e=>{e.preventDefault();l.append(held)}}";

/// As sortable lists do it: a card can be dragged only from the moment that the button goes down on it, and moves while it is
/// held over a list; each change is drawn before the next one is looked at.
const SORTED: &str = "let held,busy=false,last;for(const l of document.querySelectorAll('.list')){\
    l.onpointerdown=e=>{held=e.target.closest('.card');if(held)held.draggable=true};\
    l.ondragstart=e=>{e.dataTransfer.setData('text','x');setTimeout(()=>held.classList.add('ghost'))};\
    l.ondragover=e=>{e.preventDefault();if(busy)return;const c=e.target.closest('.card');if(c===held)return;busy=true;setTimeout(()=>{busy=false},60);\
      if(c){const r=c.getBoundingClientRect();c[e.clientY>r.top+r.height/2?'after':'before'](held)}else if(e.target===l&&held.parentNode!==l)l.append(held)};\
    l.ondrop=e=>e.preventDefault()}\
    document.ondragend=()=>{held.draggable=false;held.classList.remove('ghost')}";

/// With pointer events only: the card follows the pointer, and frame by frame a gap is opened where it would be dropped.
const POINTER: &str = "let held,gap,start,over;document.onpointerdown=e=>{held=e.target.closest('.card');start=e;over=null};\
    document.onpointermove=e=>{if(!held)return;if(!gap){if(Math.hypot(e.clientX-start.clientX,e.clientY-start.clientY)<6)return;gap=document.createElement('div');gap.className='card';held.after(gap);\
      Object.assign(held.style,{position:'fixed',width:'180px',zIndex:9,pointerEvents:'none'})}\
      held.style.left=e.clientX-80+'px';held.style.top=e.clientY-20+'px';\
      requestAnimationFrame(()=>{if(!gap)return;const t=document.elementFromPoint(e.clientX,e.clientY),l=t&&t.closest('.list'),c=t&&t.closest('.card');if(!l){over=null;return}over=l;\
        if(c&&c!==gap)c.before(gap);else if(!c)l.append(gap)})};\
    document.onpointerup=()=>{if(held){if(gap&&over){gap.replaceWith(held)}else if(gap)gap.remove();held.removeAttribute('style')}held=gap=null}";

struct Row {
    name: &'static str,
    script: &'static str,
    from: &'static str,
    to: To,
    /// What stands in the columns then.
    columns: [&'static str; 3],
    effect: &'static str,
}
enum To {
    The(&'static str),
    Point(f64, f64),
}
use To::{Point, The};

const START: [&str; 3] = ["Ann,Ben,Cid", "Dan,Eve", ""];

const TABLE: &[Row] = &[
    Row {
        name: "plain, to a card",
        script: PLAIN,
        from: "Ann",
        to: The("text \"Eve\""),
        columns: ["Ben,Cid", "Dan,Eve,Ann", ""],
        effect: "confirmed: it stands after generic \"Eve\" under heading \"Doing\" now",
    },
    Row {
        name: "plain, to an empty column",
        script: PLAIN,
        from: "Ann",
        to: The("heading \"Done\""),
        columns: ["Ben,Cid", "Dan,Eve", "Ann"],
        effect: "confirmed: it stands under heading \"Done\" now",
    },
    Row {
        name: "plain, to nothing",
        script: PLAIN,
        from: "Ann",
        to: Point(1000.0, 500.0),
        columns: START,
        effect: "refused: the page takes nothing that is dropped there",
    },
    Row {
        name: "sorted, to a card",
        script: SORTED,
        from: "Ann",
        to: The("text \"Eve\""),
        columns: ["Ben,Cid", "Dan,Ann,Eve", ""],
        effect: "confirmed: it stands after generic \"Dan\" under heading \"Doing\" now",
    },
    Row {
        name: "sorted, over another column",
        script: SORTED,
        from: "Ben",
        to: The("heading \"Done\""),
        columns: ["Ann,Cid", "Dan,Eve", "Ben"],
        effect: "confirmed: it stands under heading \"Done\" now",
    },
    Row {
        name: "sorted, back",
        script: SORTED,
        from: "Eve",
        to: The("text \"Ben\""),
        columns: ["Ann,Eve,Ben,Cid", "Dan", ""],
        effect: "confirmed: it stands after generic \"Ann\" under heading \"To do\" now",
    },
    Row {
        name: "sorted, within the list",
        script: SORTED,
        from: "Ann",
        to: The("text \"Cid\""),
        columns: ["Ben,Ann,Cid", "Dan,Eve", ""],
        effect: "confirmed: it stands after generic \"Ben\" under heading \"To do\" now",
    },
    Row {
        name: "sorted, between two",
        script: SORTED,
        from: "Ann",
        to: Point(380.0, 148.0),
        columns: ["Ben,Cid", "Dan,Ann,Eve", ""],
        effect: "confirmed: it stands after generic \"Dan\" under heading \"Doing\" now",
    },
    Row {
        name: "sorted, to nothing",
        script: SORTED,
        from: "Ann",
        to: Point(1000.0, 500.0),
        columns: START,
        effect: "refused: the page takes nothing that is dropped there",
    },
    Row {
        name: "pointer, to a card",
        script: POINTER,
        from: "Ann",
        to: The("text \"Eve\""),
        columns: ["Ben,Cid", "Dan,Ann,Eve", ""],
        effect: "confirmed: it stands after generic \"Dan\" under heading \"Doing\" now",
    },
    Row {
        name: "pointer, over another column",
        script: POINTER,
        from: "Ann",
        to: The("heading \"Done\""),
        columns: ["Ben,Cid", "Dan,Eve", "Ann"],
        effect: "confirmed: it stands under heading \"Done\" now",
    },
    Row {
        name: "pointer, to nothing",
        script: POINTER,
        from: "Ann",
        to: Point(1000.0, 500.0),
        columns: START,
        effect: "reverted: it went back to where it was when it was dropped",
    },
    Row {
        name: "pointer, between two",
        script: POINTER,
        from: "Cid",
        to: Point(380.0, 150.0),
        columns: ["Ann,Ben", "Dan,Cid,Eve", ""],
        effect: "confirmed: it stands after generic \"Dan\" under heading \"Doing\" now",
    },
    Row {
        name: "nothing can be dragged",
        script: "",
        from: "Ann",
        to: The("text \"Eve\""),
        columns: START,
        effect: "no-op suspected: nothing on the page changed",
    },
    Row {
        name: "the page puts it elsewhere",
        script: "document.onpointerup=()=>l3.append(l1.firstChild)",
        from: "Ann",
        to: The("text \"Eve\""),
        columns: ["Ben,Cid", "Dan,Eve", "Ann"],
        effect: "unverified: it stands under heading \"Done\" now, and that is not where it was dropped",
    },
];

/// A list that scrolls, with more than fits into it, and one far below it on the page.
const LONG: &str = "<style>.list{width:200px;height:150px;overflow:auto;background:#eef}.card{height:40px;background:#fff;border:1px solid}h2{margin:0}</style>\
    <h2>All</h2><div class=list id=l1></div><div style='height:900px'></div><h2>Far</h2><div class=list id=l2></div>\
    <script>l1.innerHTML=[...Array(30).keys()].map(n=>`<div class=card>Card ${n+1}</div>`).join('')</script>";

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_into_the_view_is_dragged_too() {
    let mut rig = Rig::open(&page("", "")).await;
    let mut wrong = Vec::new();
    for (name, script) in [("plain", PLAIN), ("sorted", SORTED), ("pointer", POINTER)] {
        for (from, to, want) in [
            (
                "Card 2",
                "text \"Card 20\"",
                "l1.children[1].textContent==='Card 3'&&[...l1.children].findIndex(c=>c.textContent==='Card 2')>16",
            ),
            ("Card 25", "text \"Card 3\"", "[...l1.children].findIndex(c=>c.textContent==='Card 25')<4"),
            ("Card 2", "heading \"Far\"", "l2.textContent==='Card 2'"),
        ] {
            if name == "plain" && to != "heading \"Far\"" {
                continue;
            }
            rig.show(&page(LONG, script)).await;
            let from = rig.find(&format!("text \"{from}\"")).await;
            let to = rig.find(to).await;
            let (what, goal) = (from.description.clone(), to.description.clone());
            let effect = rig.act(&Action::DragAndDrop { from, to }).await;
            let now = rig.text("[l1,l2].map(i=>[...i.children].map(c=>c.textContent.slice(5)).join()).join(' | ')");
            if !effect.is_confirmed() || rig.text(want) != "true" {
                wrong.push(format!("{name}, {what} to {goal}: {effect}\n    {now}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn element(rig: &mut Rig, to: &To) -> Element {
    match to {
        The(label) => rig.find(label).await,
        Point(x, y) => at(*x, *y),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_dragged_ends_where_it_was_meant_to() {
    let mut rig = Rig::open(&page("", "")).await;
    let mut wrong = Vec::new();
    for row in TABLE {
        rig.show(&page(BOARD, row.script)).await;
        let from = rig.find(&format!("text \"{}\"", row.from)).await;
        let to = element(&mut rig, &row.to).await;
        let effect = rig.act(&Action::DragAndDrop { from, to }).await.to_string();
        let columns = rig.text("['l1','l2','l3'].map(i=>[...document.getElementById(i).children].map(c=>c.textContent).join()).join(' | ')");
        let want = row.columns.join(" | ");
        if columns != want || effect != row.effect {
            wrong.push(format!("{}: {columns}\n    {effect}\n  not {want}\n    {}", row.name, row.effect));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
