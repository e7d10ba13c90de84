;;; -*- lexical-binding: t -*-
;; SPDX-License-Identifier: MIT
;;
;; Emacs as a subject: decode-coding-string. What is ill-formed is kept as raw bytes; here U+DC00 plus the byte, as `surrogateescape' has it.
;; encode-coding-string; byte-to-position and position-bytes.

(defvar coding-systems '(("utf-8" . utf-8-unix) ("utf-16le" . utf-16le-unix) ("utf-16be" . utf-16be-unix)))

(defun coding-of (encoding)
  (cdr (assoc encoding coding-systems)))

(defun scalars (text)
  (if (equal text "") "-"
    (mapconcat (lambda (char) (format "%X" (if (>= char #x3FFF80) (- char #x3FFF00 (- #xDC00)) char))) text ",")))

(defun encoded (coding points)
  (if (seq-some (lambda (point) (> point (max-char))) points) "skip not offered"
    (let ((bytes (encode-coding-string (apply #'string points) coding)))
      (concat "ok " (if (equal bytes "") "-" (mapconcat (lambda (byte) (format "%02X" byte)) bytes ""))))))

(defun bytes-of (hex)
  (apply #'unibyte-string
         (and (not (equal hex "-")) (mapcar (lambda (i) (string-to-number (substring hex i (+ i 2)) 16)) (number-sequence 0 (- (length hex) 2) 2)))))

;; Of a buffer, whose text is in memory as its bytes if these are UTF-8.
(defun boundaries (bytes)
  (with-temp-buffer
    (insert (decode-coding-string bytes 'utf-8-unix))
    (if (seq-some (lambda (char) (>= char #x3FFF80)) (buffer-string)) "skip not offered"
      (concat "ok " (mapconcat (lambda (at) (number-to-string (1- (position-bytes (byte-to-position (1+ at)))))) (number-sequence 0 (length bytes)) ",")))))

(defun answer (operation encoding &rest fields)
  (if (and (equal operation "encode") (coding-of encoding) (equal (car fields) "strict"))
      (encoded (coding-of encoding) (mapcar (lambda (point) (string-to-number point 16)) (split-string (cadr fields) "[-,]" t)))
    (if (and (equal operation "boundaries") (equal encoding "utf-8"))
        (boundaries (bytes-of (car fields)))
      (decoded operation encoding fields))))

(defun decoded (operation encoding fields)
  (let ((hex (car (last fields))))
    (if (not (and (coding-of encoding) (equal operation "decode") (equal (car fields) "own") (not (string-match-p "," hex))))
        "skip not offered"
      (concat "ok " (scalars (decode-coding-string (bytes-of hex) (coding-of encoding)))))))

(condition-case nil
    (while t
      (let ((words (split-string (read-from-minibuffer ""))))
        (princ (if (equal (car words) "hello")
                   (format "hello assay/1 emacs %s encodings=utf-8,utf-16le,utf-16be policies=own,strict ops=decode,encode,boundaries chunks=no\n" emacs-version)
                 (concat (car words) " " (apply #'answer (cdr words)) "\n")))))
  (end-of-file nil))
