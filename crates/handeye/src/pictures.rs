//! The pictures of a request, as the model is to be shown them.

use handeye_core::{ChatError, ChatErrorKind, ChatRequest, Hash, Image, Part, Shown};

/// Prepares pictures, and keeps those of the last request: a conversation repeats most of them.
#[derive(Default)]
pub(crate) struct Pictures {
    kept: Vec<(Hash, Shown, Image)>,
}

impl Pictures {
    /// The request with each picture as it is to be shown.
    pub(crate) async fn prepare(&mut self, mut request: ChatRequest) -> Result<ChatRequest, ChatError> {
        let before = std::mem::take(&mut self.kept);
        for part in request.messages.iter_mut().flat_map(|message| &mut message.parts) {
            let Part::Image { image, shown } = part else { continue };
            if shown.is_as_it_is(image.size) {
                continue;
            }
            let is_it = |(hash, how, _): &&(Hash, Shown, Image)| *hash == image.hash && how == shown;
            let made = match before.iter().chain(&self.kept).find(is_it) {
                Some((.., made)) => made.clone(),
                None => show(image.clone(), *shown).await?,
            };
            self.kept.push((image.hash.clone(), *shown, made.clone()));
            *image = made;
            *shown = Shown::at(shown.canvas());
        }
        Ok(request)
    }
}

async fn show(image: Image, shown: Shown) -> Result<Image, ChatError> {
    let failed = |e: String| ChatError::new(ChatErrorKind::Config, format!("the picture could not be prepared: {e}"));
    let done = tokio::task::spawn_blocking(move || handeye_image::show(&image, &shown)).await;
    done.map_err(|e| failed(e.to_string()))?.map_err(|e| failed(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use handeye_core::{ImageFormat, Message, Role, Size};
    use std::sync::Arc;

    fn picture(shade: u8) -> Image {
        let made = handeye_image::png(&handeye_image::Pixels::filled(64, 32, [shade, 0, 0, 255])).expect("a picture");
        Image::new(made.bytes, ImageFormat::Png, Size::new(64.0, 32.0))
    }

    fn request(shades: &[u8], width: f64) -> ChatRequest {
        let part = |shade: &u8| Part::Image { image: picture(*shade), shown: Shown::at(Size::new(width, width / 2.0)) };
        let messages = vec![Message::new(Role::User, shades.iter().map(part).collect())];
        ChatRequest { messages, ..ChatRequest::default() }
    }

    fn bytes(request: &ChatRequest) -> Vec<Arc<[u8]>> {
        let parts = request.messages.iter().flat_map(|m| &m.parts);
        parts.filter_map(|p| if let Part::Image { image, .. } = p { Some(image.bytes.clone()) } else { None }).collect()
    }

    #[tokio::test]
    async fn a_picture_that_was_in_the_last_request_is_not_made_again() {
        let mut pictures = Pictures::default();
        let first = bytes(&pictures.prepare(request(&[1, 2, 1], 32.0)).await.expect("a request"));
        assert!(Arc::ptr_eq(&first[0], &first[2]) && !Arc::ptr_eq(&first[0], &first[1]));
        let second = bytes(&pictures.prepare(request(&[2, 3], 32.0)).await.expect("a request"));
        assert!(Arc::ptr_eq(&first[1], &second[0]));
        assert_eq!(pictures.kept.len(), 2, "only those of the last request are kept");
        let smaller = bytes(&pictures.prepare(request(&[2], 16.0)).await.expect("a request"));
        assert!(!Arc::ptr_eq(&smaller[0], &second[0]), "another size is another picture");
        let whole = bytes(&pictures.prepare(request(&[9], 64.0)).await.expect("a request"));
        assert_eq!((whole[0].as_ref() == picture(9).bytes.as_ref(), pictures.kept.len()), (true, 0));
    }
}
